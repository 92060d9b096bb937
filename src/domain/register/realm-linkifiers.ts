import { presentLinkifiers } from '../linkifiers/present-linkifiers.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `realm_linkifiers`: none for clients that do not know URL templates (docs/interface/register.md#what-the-snapshot-has). */
export const realmLinkifiersSnapshot: Snapshot = ({ sql }, _caller, { capabilities }) => ({
  realm_linkifiers: capabilities.has('linkifier_url_template') ? presentLinkifiers(sql) : [],
})
