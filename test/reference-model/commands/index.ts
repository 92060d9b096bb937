import fc from 'fast-check'
import type { ModelRun } from '../model-run.ts'
import { CHANNEL_COMMANDS } from './channel-commands.ts'
import type { Action } from './chosen.ts'
import { MESSAGE_COMMANDS } from './message-commands.ts'
import { PEOPLE_COMMANDS } from './people-commands.ts'
import { TOPIC_COMMANDS } from './topic-commands.ts'

export type { Action }

const COMMANDS = { ...MESSAGE_COMMANDS, ...TOPIC_COMMANDS, ...CHANNEL_COMMANDS, ...PEOPLE_COMMANDS }
type Kind = keyof typeof COMMANDS

/** Without messages there is nothing to do. */
const KINDS: readonly Kind[] = [
  ...(['send', 'send', 'send', 'send', 'write', 'write'] as const),
  ...(Object.keys(COMMANDS) as Kind[]),
]

const MAX_ACTIONS = 24

/** Actions between two registrations; now and then the object is put to sleep, or the Worker forgets its blocks, before one. */
export const actions = fc.array(
  fc.record(
    {
      kind: fc.constantFrom(...KINDS),
      who: fc.nat(20),
      where: fc.nat(20),
      what: fc.nat(60),
      evict: fc.nat(9).map((n) => n === 9),
      forget: fc.nat(19).map((n) => n === 19),
    },
    { noNullPrototype: true },
  ),
  { minLength: 1, maxLength: MAX_ACTIONS, size: 'max' },
)

/** Does it, and records its description. */
export async function perform(run: ModelRun, action: Action): Promise<void> {
  if (action.evict) await run.organization.evict()
  if (action.forget) await run.organization.forgetBlocks()
  const done = await COMMANDS[action.kind as Kind](run, action)
  run.model.noteWhatIsHidden()
  if (done === undefined) return
  run.done.push(`${done}${action.evict ? ' (asleep before)' : ''}${action.forget ? ' (without blocks)' : ''}`)
}
