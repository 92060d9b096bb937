/** The setting of the deployment for channels that are read without an account. */
export interface WebPublicEnvironment {
  /** 'on': organizations may have channels that are read without an account. */
  readonly WEB_PUBLIC_STREAMS_ENABLED?: string
}

/** Values that switch a setting on, as the interface document and other settings write them. */
const SWITCHED_ON = new Set(['true', 'on', '1'])

/** Whether anything of this deployment may be read without an account. */
export function allowsWebPublic({ WEB_PUBLIC_STREAMS_ENABLED = '' }: WebPublicEnvironment): boolean {
  return SWITCHED_ON.has(WEB_PUBLIC_STREAMS_ENABLED.toLowerCase())
}
