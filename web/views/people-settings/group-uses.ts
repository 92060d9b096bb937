import { deactivateGroup, type GroupUse, usesOfGroup } from '../../actions/accounts.ts'
import { own } from '../../texts/isolate.ts'
import { s } from '../../texts/settings.ts'
import { listed } from '../../texts/texts.ts'
import { wordFor } from '../../texts/word-for.ts'
import { refusalOf } from '../settings/fetched.tsx'
import { groupName } from '../settings/group-setting-row.tsx'
import { channelName } from '../words.ts'

/** Deactivates a group. Returns why it cannot be, with a line for everything that names it. */
export async function refusalToDeactivate(groupId: number): Promise<string | undefined> {
  try {
    await deactivateGroup(groupId)
    return undefined
  } catch (error) {
    const refusal = await refusalOf(Promise.reject(error))
    return [refusal, ...usesOfGroup(error).flatMap(linesOf)].join('\n')
  }
}

function linesOf(use: GroupUse): readonly string[] {
  switch (use.type) {
    case 'realm':
      return [`${s.titles.permissions}: ${labels(s.organization.permissions, use.settings)}`]
    case 'channel':
      return [`${own(`#${channelName(use.channel_id)}`)}: ${labels(s.channels.permissions, use.settings)}`]
    case 'user_group':
      return [`@${groupName(use.group_id)}: ${labels(s.groups.permissions, use.settings)}`]
    case 'subgroup':
      return use.supergroup_ids.map((id) => `@${groupName(id)}: ${s.groups.subgroups}`)
  }
}

function labels(words: Readonly<Record<string, string>>, names: readonly string[]): string {
  return listed(names.map((name) => wordFor(words, name) ?? name))
}
