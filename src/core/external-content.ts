/** The setting of the environment for pictures of other servers. */
export interface ExternalContentEnvironment {
  /** `proxy`, unless set: they come through this server. `direct`: readers load them from where they lie. */
  readonly EXTERNAL_CONTENT?: string
}

/** What is neither is `proxy`: nobody's address is given away by a slip of the pen. */
export function proxiesPictures({ EXTERNAL_CONTENT }: ExternalContentEnvironment): boolean {
  return EXTERNAL_CONTENT !== 'direct'
}
