import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import {
  insertDefaultGroup,
  listDefaultGroups,
} from '../../store/default-channel-groups/default-channel-group-rows.ts'
import { listDomains, putDomain } from '../../store/realm/realm-list-rows.ts'
import {
  requireDefaultGroupDescription,
  requireDefaultGroupName,
  requireMayJoinGroup,
} from '../default-channel-groups/default-channel-group-rules.ts'
import { hasRoomInOrganization } from '../quotas/within-quota.ts'
import { requireDomainName } from '../realm/present-realm.ts'
import { type ImportWork, noteTarget, targetOf, unlessRefused } from './import-work.ts'

const DOMAIN_HAS_NO_ID = 0

/** Domains of new people, and the channels that they can choose: only if the organization becomes what the source was. */

export function writeDomain(tx: RealmTransaction, work: ImportWork, record: RecordOf<'domain'>): void {
  if (!isWanted(work, record.type)) return
  unlessRefused(work, 'setting that cannot be used', record.domain, () => {
    const domain = requireDomainName(record.domain)
    const isKnown = targetOf(tx, work, 'domain', domain) !== undefined
    if (isKnown || listDomains(tx.sql).some((known) => known.domain === domain)) return
    if (!hasRoomInOrganization(tx, 'domains')) {
      work.tally.problem('no room for more domains', domain)
      return
    }
    putDomain(tx.sql, { domain, allowsSubdomains: record.subdomains === true })
    noteTarget(tx, work, 'domain', domain, DOMAIN_HAS_NO_ID, 'domains')
  })
}

export function writeDefaultChannelGroup(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'default_channel_group'>,
): void {
  if (!isWanted(work, record.type)) return
  const id = record.name.trim()
  if (targetOf(tx, work, 'default_channel_group', id) !== undefined) return
  if (listDefaultGroups(tx.sql).some(({ name }) => name === id)) return
  unlessRefused(work, 'setting that cannot be used', record.name, () => {
    const name = requireDefaultGroupName(tx.sql, record.name)
    const description = requireDefaultGroupDescription(record.description ?? '')
    const channels = record.channels.flatMap((id) => {
      const target = targetOf(tx, work, 'channel', id)
      const channel = target === undefined ? undefined : findChannel(tx.sql, target)
      return channel && !channel.isArchived ? [channel] : []
    })
    for (const channel of channels) requireMayJoinGroup(channel, name)
    if (!hasRoomInOrganization(tx, 'defaultGroups')) {
      work.tally.problem('no room for more groups of default channels', name)
      return
    }
    const made = insertDefaultGroup(tx.sql, { name, description, channelIds: channels.map((one) => one.id) })
    noteTarget(tx, work, 'default_channel_group', id, made, 'groups of default channels')
  })
}

function isWanted({ imported, tally }: ImportWork, type: string): boolean {
  if (!imported.mapping.settings) tally.count('passedOver', type)
  return imported.mapping.settings
}
