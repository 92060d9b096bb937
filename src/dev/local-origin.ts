/** The address at which `npm start` serves. */
export interface OriginEnvironment {
  /** Absent where any free port is used. */
  readonly LOCAL_PORT?: string
}

/** Returns the address of the organization at this host, `http://127.0.0.1:8787`; undefined where the port is unknown. */
export function localOrigin({ LOCAL_PORT }: OriginEnvironment, host: string): string | undefined {
  if (LOCAL_PORT === undefined) return undefined
  // The host name matches the one that `npm start` prints: browsers keep separate logins for each name.
  return `http://${host === 'localhost' ? '127.0.0.1' : host}:${LOCAL_PORT}`
}
