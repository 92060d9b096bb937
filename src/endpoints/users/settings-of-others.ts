import * as v from 'valibot'
import { ServiceUnavailableError } from '../../core/errors.ts'
import {
  changeSettingsOfOthers,
  type SettingsOfOthersChange,
  settingsAmong,
} from '../../domain/users/settings/settings-of-others.ts'
import type { UpdateSettingsParams } from '../../domain/users/settings/update-settings.ts'
import { defineStep, type WorkerContext } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { MAX_HANDMADE_LIST_LENGTH, MAX_LIST_LENGTH, NAME_LENGTH } from '../input-limits.ts'
import { integer, json, listUpTo, mapUpTo, textUpTo } from '../parameter-types.ts'
import { idList } from '../step-types.ts'

/** The people whose settings an administrator changes. */
export const targetUsers = v.pipe(
  json(
    v.object({
      user_ids: v.optional(listUpTo(MAX_LIST_LENGTH, integer), []),
      group_ids: v.optional(listUpTo(MAX_HANDMADE_LIST_LENGTH, integer), []),
      skip_if_already_edited: v.boolean(),
    }),
  ),
  v.description('People whose settings are changed in place of the caller’s own, for administrators.'),
)

const settingValue = v.union([v.boolean(), integer, textUpTo(NAME_LENGTH)])

/** Changes the settings of further people, in a commit of its own. */
export const settingsOfOthersStep = defineStep({
  operation: 'settings-of-others-step',
  access: 'human',
  params: {
    target_users: v.strictObject({
      user_ids: idList,
      group_ids: idList,
      skip_if_already_edited: v.boolean(),
    }),
    settings: mapUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(NAME_LENGTH), settingValue),
    above: v.optional(integer),
  },
  command: changeSettingsOfOthers,
  audit: 'step',
  idempotency: 'last-step',
  isLast: areAllChanged,
})

/** Whether a commit has left no people for others. */
export function areAllChanged(result: SettingsOfOthersChange): boolean {
  return result.above === undefined
}

/**
 * Makes the commits that are left.
 * @throws ServiceUnavailableError (503) when the time of one request is over.
 */
export async function changeTheRest<Answer extends SettingsOfOthersChange>(
  first: Answer,
  params: UpdateSettingsParams,
  worker: Pick<WorkerContext, 'run'>,
): Promise<object> {
  const settings = settingsAmong(params)
  const { target_users } = params
  const last = await inSeveralCommits<SettingsOfOthersChange>(first, areAllChanged, async ({ above }) => {
    const next = { target_users, settings, above }
    return (await worker.run(settingsOfOthersStep.operation, next)) as SettingsOfOthersChange
  })
  if (!areAllChanged(last)) throw new ServiceUnavailableError()
  return last
}
