/** The address at which `npm start` serves. */
export interface OriginEnvironment {
  /** Absent where any free one is taken. */
  readonly LOCAL_PORT?: string
}

/** `http://127.0.0.1:8787`: where people have the organization at this host; undefined where that is not known. */
export function localOrigin({ LOCAL_PORT }: OriginEnvironment, host: string): string | undefined {
  if (LOCAL_PORT === undefined) return undefined
  // As `npm start` says it: a browser that is logged in there is not logged in by the other name.
  return `http://${host === 'localhost' ? '127.0.0.1' : host}:${LOCAL_PORT}`
}
