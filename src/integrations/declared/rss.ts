import { signedInHex } from '../signatures.ts'
import { declared } from './declaration.ts'

/** New entries of feeds, by services that post them as JSON. Source: docs/interface/webhooks.md#services. */
export const rss = declared({
  name: 'rss',
  displayName: 'RSS',
  // JSON Feed and hubs have `items`, RSS.app and its kin `data.items_new`.
  each: ['items', 'data.items_new'],
  topic: '{{$.title | or: $.feed.title}}',
  needs: '{{title | or: url | or: permalinkUrl | or: content_text}}',
  ...signedInHex('X-Hub-Signature-256', 'sha256='),
  otherwise: {
    says: '[{{title | text | or: url | or: permalinkUrl | default: "An entry"}}]({{url | or: permalinkUrl | or: external_url}}){{? by {{authors | join: name | or: actor.displayName}}?}}{{? ({{date_published | or: published | time}})?}}',
    quotes: '{{summary | or: description_text | or: content_text | or: content_html | text | first: 500}}',
  },
})
