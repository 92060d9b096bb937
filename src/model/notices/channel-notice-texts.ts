import { type ChannelNoticeTexts, TEXTS } from '../../../texts/compiled/channel-notice.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { writtenLanguage } from '../../core/written-languages.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'

/** Returns the texts in the organization's language, which notices in channels have. The English ones are those of the public interface, which clients know. */
export function noticeTexts({ sql }: Pick<RealmReads, 'sql'>): ChannelNoticeTexts {
  return TEXTS[writtenLanguage(realmProperty(sql, 'default_language')) ?? 'en']
}
