import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'

/** A command that refuses everybody in the same words. */
interface RefusingCommand extends Command<unknown, unknown, void, object> {
  readonly refuses: string
}

/** The words with which a command refuses everybody, if it never does anything else. */
export function refusalOf(command: object): string | undefined {
  return (command as Partial<RefusingCommand>).refuses
}

/**
 * Services that work only with a provider or a key that the deployment has not got, and that it offers
 * nowhere: clients that ask all the same get that answer. Source: docs/interface/organization.md#what-is-not-offered.
 */
function refusing(msg: string): RefusingCommand {
  return {
    refuses: msg,
    apply() {
      throw new BadRequestError(msg)
    },
  }
}

export const summarizeMessages = refusing('AI features are not enabled on this server.')
export const createZoomCall = refusing('Zoom is not configured on this server.')
export const createBigBlueButtonCall = refusing('BigBlueButton is not configured on this server.')
export const fetchApiKeyByToken = refusing('JWT authentication is not enabled for this organization.')
