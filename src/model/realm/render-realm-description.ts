import type { Sql } from '../../core/sql.ts'
import { NO_ALERT_WORDS } from '../../markdown/alert-words.ts'
import { renderMarkdown } from '../../markdown/render.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'

/**
 * Returns the description as HTML for readers who may not be logged in. Names of users, groups and channels in it stay
 * plain text, so that it reveals none of them.
 */
export function renderRealmDescription(sql: Sql, origin: string): string {
  const description = realmProperty(sql, 'description')
  if (description === '') return ''
  return renderMarkdown(description, {
    usersNamed: () => [],
    userById: () => undefined,
    groupNamed: () => undefined,
    channelNamed: () => undefined,
    customEmoji: () => undefined,
    linkifiers: [],
    alertWords: NO_ALERT_WORDS,
    realmUrl: origin,
    translateEmoticons: false,
    inlineImagePreview: false,
    defaultCodeBlockLanguage: '',
    emptyTopicDisplayName: EMPTY_TOPIC_DISPLAY_NAME,
  }).html
}
