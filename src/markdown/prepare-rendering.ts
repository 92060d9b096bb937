import { workGate } from '../core/work-gate.ts'
import type { FirstUse } from './first-use.ts'
import { firstUsesOfLanguages } from './highlight.ts'
import { firstUsesOfLinkifiers, type Linkifier } from './linkifiers.ts'
import type { MarkdownLookups } from './render-types.ts'

/** Weight of what one turn prepares, and of what is made for the first time within a change: 5 to 20 ms. */
const OF_ONE_TURN = 20

type Noting = Pick<MarkdownLookups, 'linkifiers' | 'noteFirstUses'>

/**
 * Notes what the rendering of a text needs that this isolate has not made yet: compiled rules for links, and the grammars of its languages. The
 * result of a rendering is the same whether they were made before.
 */
export function noteFirstUses(source: string, { linkifiers, noteFirstUses }: Noting): void {
  if (!noteFirstUses) return
  const uses = firstUsesOf(source, linkifiers)
  if (uses.length > 0) noteFirstUses(uses)
}

/** Does the same for the links of topics. */
export function noteFirstUsesOfTopics(
  topics: readonly string[],
  { linkifiers, noteFirstUses }: Noting,
): void {
  if (!noteFirstUses || linkifiers.length === 0) return
  // What begins a match is within one line, so one text does for all.
  const uses = firstUsesOfLinkifiers(linkifiers, topics.join('\n'))
  if (uses.length > 0) noteFirstUses(uses)
}

/** The work of one turn on what it uses for the first time. */
export class FirstUsesOfATurn {
  #weight = 0

  /** Adds these; returns whether all together are too much for one turn. */
  areTooManyWith(uses: readonly FirstUse[]): boolean {
    this.#weight += weightOf(uses)
    return this.#weight > OF_ONE_TURN
  }
}

/** Compiles all rules in turns, as far as this isolate has not done so, and then makes what else is needed. */
export async function compileInTurns(
  linkifiers: readonly Linkifier[],
  uses: readonly FirstUse[] = [],
): Promise<void> {
  await prepareInTurns([...firstUsesOfLinkifiers(linkifiers), ...uses])
}

function firstUsesOf(source: string, linkifiers: readonly Linkifier[]): FirstUse[] {
  return [...firstUsesOfLanguages(source), ...firstUsesOfLinkifiers(linkifiers, source)]
}

function weightOf(uses: readonly FirstUse[]): number {
  return uses.reduce((sum, { weight }) => sum + weight, 0)
}

async function prepareInTurns(uses: readonly FirstUse[]): Promise<void> {
  if (uses.length === 0) return
  let done = OF_ONE_TURN
  for (const { weight, use } of uses) {
    if (done + weight > OF_ONE_TURN) {
      await workGate.nextTurn()
      done = 0
    }
    use()
    done += weight
  }
  await workGate.nextTurn()
}
