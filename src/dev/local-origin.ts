/** The address at which `npm start` serves. */
export interface OriginEnvironment {
  /** Absent where any free port is taken. */
  readonly LOCAL_PORT?: string
}

/**
 * Returns the address at which people have the organization at this host, `http://127.0.0.1:8787`; undefined
 * where the port is not known.
 */
export function localOrigin({ LOCAL_PORT }: OriginEnvironment, host: string): string | undefined {
  if (LOCAL_PORT === undefined) return undefined
  // The name is the one that `npm start` prints: a browser that is logged in there is not logged in under the
  // other name.
  return `http://${host === 'localhost' ? '127.0.0.1' : host}:${LOCAL_PORT}`
}
