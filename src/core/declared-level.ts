import { UNDECLARED_LEVEL } from './forms-by-level.ts'

/** The newest level whose forms are known here: a client that declares a newer one gets these. */
export const NEWEST_LEVEL = 500

/** The header with which any client may declare its level: an integer. */
export const LEVEL_HEADER = 'X-Feature-Level'

/** Known clients that declare none, by their User-Agent: from which version on they are written for which level. */
const KNOWN_CLIENTS: readonly {
  /** Name and version; the groups of the pattern are the version's numbers. */
  readonly agent: RegExp
  readonly from: readonly number[]
  readonly level: number
}[] = [
  // The mobile app: `ZulipFlutter/30.0.274+274 (Android 14)`.
  { agent: /^ZulipFlutter\/(\d{1,6})\.(\d{1,6})\.(\d{1,6})\b/, from: [30, 0, 274], level: 481 },
]

/** What a request says about its client. */
export interface Declaration {
  /** The value of LEVEL_HEADER; null where there is none. Anything but an integer declares nothing. */
  readonly header: string | null
  readonly userAgent: string
  /** The level of the web client that is served to browsers; undefined for others, and where there is none. */
  readonly webClient: number | undefined
}

/**
 * Returns the level that a client declares: by the header, else by its User-Agent, else by the web client that it is. Source:
 * docs/interface/conventions.md#feature-level.
 */
export function declaredLevel({ header, userAgent, webClient }: Declaration): number {
  const inHeader = header !== null && /^\d{1,9}$/.test(header.trim()) ? Number(header) : undefined
  const level = inHeader ?? levelOfKnownClient(userAgent) ?? webClient ?? UNDECLARED_LEVEL
  return Math.min(level, NEWEST_LEVEL)
}

function levelOfKnownClient(userAgent: string): number | undefined {
  return KNOWN_CLIENTS.find(({ agent, from }) => {
    const version = agent.exec(userAgent)?.slice(1).map(Number)
    return version !== undefined && isSameOrLater(version, from)
  })?.level
}

function isSameOrLater(version: readonly number[], from: readonly number[]): boolean {
  const first = version.findIndex((number, index) => number !== from[index])
  return first === -1 || version[first]! > from[first]!
}
