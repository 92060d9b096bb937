import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { narrow } from '../../api/shared-parameters.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'

/** Features that need a provider that no deployment has: always refused. Source: docs/interface/organization.md#what-is-not-offered. */
export const summarizeMessagesEndpoint = defineEndpoint({
  operation: 'summarize-messages',
  route: 'GET /messages/summary',
  access: 'user',
  params: { narrow },
  returns: v.object({ summary: v.string() }),
  command: refusing('AI features are not enabled on this server.'),
})

export const createConstructorGroupsCallEndpoint = defineEndpoint({
  operation: 'create-constructor-groups-video-call',
  route: 'POST /calls/constructorgroups/create',
  access: 'user',
  returns: v.object({ url: v.string() }),
  command: refusing('Constructor Groups is not configured.'),
  audit: 'speech',
})

export const createWebexCallEndpoint = defineEndpoint({
  operation: 'create-webex-video-call',
  route: 'POST /calls/webex/create',
  access: 'user',
  returns: v.object({ url: v.string() }),
  command: refusing('Webex is not configured on this server.'),
  audit: 'speech',
})

/** A command that refuses everyone with the same text. */
interface RefusingCommand extends Command<unknown, unknown, object> {
  readonly refuses: string
}

/** Returns the text with which a command always refuses; undefined for other commands. */
export function refusalOf(command: object): string | undefined {
  return (command as Partial<RefusingCommand>).refuses
}

/**
 * Returns the command of a service that needs a provider or a key which the deployment lacks. The service is not offered, and clients that
 * ask for it get this refusal. Source: docs/interface/organization.md#what-is-not-offered.
 */
function refusing(msg: string): RefusingCommand {
  return {
    refuses: msg,
    apply() {
      throw new BadRequestError(msg)
    },
  }
}
