import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'

/** A command that refuses everybody with the same text. */
interface RefusingCommand extends Command<unknown, unknown, void, object> {
  readonly refuses: string
}

/** Returns the text with which a command refuses everybody, if it does nothing else. */
export function refusalOf(command: object): string | undefined {
  return (command as Partial<RefusingCommand>).refuses
}

/**
 * Services that need a provider or a key which the deployment does not have. They are offered nowhere, and
 * clients that ask nevertheless get that answer. Source: docs/interface/organization.md#what-is-not-offered.
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
export const createConstructorGroupsCall = refusing('Constructor Groups is not configured.')
export const createNextcloudTalkCall = refusing('Nextcloud Talk is not configured.')
export const createWebexCall = refusing('Webex is not configured on this server.')
export const createBigBlueButtonCall = refusing('BigBlueButton is not configured on this server.')
