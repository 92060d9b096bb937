/** What `npm start` tells of the address at which it is. */
export interface OriginEnvironment {
  /** Absent where any free one is taken. */
  readonly LOCAL_PORT?: string
}

/** `http://localhost:8787`: where people have the organization at this host; undefined where that is not known. */
export function localOrigin({ LOCAL_PORT }: OriginEnvironment, host: string): string | undefined {
  return LOCAL_PORT === undefined ? undefined : `http://${host}:${LOCAL_PORT}`
}
