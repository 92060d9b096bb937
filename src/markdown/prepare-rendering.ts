import { nextTurn } from '../core/next-turn.ts'
import type { FirstUse } from './first-use.ts'
import { firstUsesOfLanguages } from './highlight.ts'
import { firstUsesOfLinkifiers, type Linkifier } from './linkifiers.ts'

/** Weight of what one turn prepares: 5 to 20 ms. */
const OF_ONE_TURN = 20

/**
 * Prepares the rendering of a text in turns of its own: compiles the rules for links that it needs, and makes the grammars of its
 * languages, as far as this isolate has not done so. Undefined if that is little work, and is left to the rendering. The result of a
 * rendering is the same without it.
 */
export function prepareRendering(
  source: string,
  linkifiers: readonly Linkifier[],
): Promise<void> | undefined {
  const uses = [...firstUsesOfLanguages(source), ...firstUsesOfLinkifiers(linkifiers, source)]
  return uses.reduce((sum, { weight }) => sum + weight, 0) > OF_ONE_TURN ? inTurns(uses) : undefined
}

/** Compiles all rules in turns, as far as this isolate has not done so. */
export async function compileInTurns(linkifiers: readonly Linkifier[]): Promise<void> {
  await inTurns(firstUsesOfLinkifiers(linkifiers))
}

async function inTurns(uses: readonly FirstUse[]): Promise<void> {
  let done = 0
  for (const { weight, use } of uses) {
    if (done > 0 && done + weight > OF_ONE_TURN) {
      await nextTurn()
      done = 0
    }
    use()
    done += weight
  }
  if (done > 0) await nextTurn()
}
