import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { narrow } from '../../api/shared-parameters.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'

/**
 * Services that need a provider, which no deployment has yet: always refused. Source:
 * docs/interface/organization.md#what-is-not-offered.
 */
export const summarizeMessagesEndpoint = defineEndpoint({
  operation: 'summarize-messages',
  method: 'GET',
  path: '/messages/summary',
  access: 'user',
  params: { narrow },
  returns: v.object({ summary: v.string() }),
  command: refusing('AI features are not enabled on this server.'),
})

export const createConstructorGroupsCallEndpoint = defineEndpoint({
  operation: 'create-constructor-groups-video-call',
  method: 'POST',
  path: '/calls/constructorgroups/create',
  access: 'user',
  params: {},
  returns: v.object({ url: v.string() }),
  command: refusing('Constructor Groups is not configured.'),
  audit: 'speech',
})

export const createWebexCallEndpoint = defineEndpoint({
  operation: 'create-webex-video-call',
  method: 'POST',
  path: '/calls/webex/create',
  access: 'user',
  params: {},
  returns: v.object({ url: v.string() }),
  command: refusing('Webex is not configured on this server.'),
  audit: 'speech',
})

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
