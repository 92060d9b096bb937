import * as v from 'valibot'
import { runCommand } from '../../domain/users/settings/run-command.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { trimmedTextUpTo } from '../parameter-types.ts'

/** A command that a user has typed, like `/ping` or `/dark`. Source: docs/interface/users.md#commands. */
export const runCommandEndpoint = defineEndpoint({
  operation: 'run-command',
  method: 'POST',
  path: '/zcommand',
  access: 'human',
  params: { command: trimmedTextUpTo(NAME_LENGTH) },
  returns: v.object({}),
  command: runCommand,
  audit: 'own',
})
