import { signedInHex } from '../signatures.ts'
import { declared } from './declaration.ts'

const ENTITY =
  '[{{entity.type | words | default: "something"}}](https://www.notion.so/{{entity.id | without: "-"}})'
const BY = '{{? by {{authors | join: name}}?}}'
const did = (done: string) => ({ says: `A ${ENTITY} ${done}${BY}` })
const PROPERTIES = 'data.properties'

/** Pages, databases and comments of Notion, which says only their ids, and posts of its automations. Source: docs/interface/webhooks.md#services. */
export const notion = declared({
  name: 'notion',
  displayName: 'Notion',
  event: '{{verification_token | means: "verification"}}{{source | means: "automation"}}{{type}}',
  id: '{{id}}',
  topic: '{{workspace_name}}',
  ...signedInHex('X-Notion-Signature', 'sha256='),
  events: {
    verification: {
      says: 'Notion wants this verification token of you: {{verification_token | code}}. Afterwards it is the secret with which Notion signs; enter it in the settings of this bot to have posts checked',
      isForOwner: true,
    },
    automation: {
      says: `An automation reports [{{${PROPERTIES}.Name.title | join: plain_text | or: ${PROPERTIES}.Title.title | join: plain_text | default: "a page"}}]({{data.url}})`,
      facts: {
        Status: `{{${PROPERTIES}.Status.status.name | or: ${PROPERTIES}.Status.select.name}}`,
        Assignee: `{{${PROPERTIES}.Assignee.people | join: name}}`,
        Due: `{{${PROPERTIES}.Due.date.start}}`,
      },
    },
    'page.created': did('was created'),
    'page.content_updated': did('has changed'),
    'page.properties_updated': did('has other properties'),
    'page.moved': did('was moved'),
    'page.deleted': did('was moved to the trash'),
    'page.undeleted': did('was restored'),
    'page.locked': did('was locked'),
    'page.unlocked': did('was unlocked'),
    'page.permissions_updated': null,
    'database.created': did('was created'),
    'database.content_updated': did('has changed'),
    'database.moved': did('was moved'),
    'database.deleted': did('was moved to the trash'),
    'database.undeleted': did('was restored'),
    'database.schema_updated': did('has other columns'),
    'data_source.created': did('was created'),
    'data_source.content_updated': did('has changed'),
    'data_source.moved': did('was moved'),
    'data_source.deleted': did('was moved to the trash'),
    'data_source.undeleted': did('was restored'),
    'data_source.schema_updated': did('has other columns'),
    'comment.created': {
      says: `A [comment](https://www.notion.so/{{data.page_id | without: "-"}}) was written${BY}`,
    },
    'comment.updated': {
      says: `A [comment](https://www.notion.so/{{data.page_id | without: "-"}}) was edited${BY}`,
    },
    'comment.deleted': {
      says: `A [comment](https://www.notion.so/{{data.page_id | without: "-"}}) was deleted${BY}`,
    },
  },
})
