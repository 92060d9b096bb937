import type { Endpoint, Operation } from '../define-endpoint.ts'
import {
  deactivateCustomEmojiEndpoint,
  enterCustomEmojiStep,
  getCustomEmojiEndpoint,
  uploadCustomEmojiEndpoint,
} from './custom-emoji.ts'
import { deactivateRealmEndpoint } from './deactivate-realm.ts'
import {
  addLinkifierEndpoint,
  getLinkifiersEndpoint,
  removeLinkifierEndpoint,
  reorderLinkifiersEndpoint,
  updateLinkifierEndpoint,
} from './linkifiers.ts'
import { addCodePlaygroundEndpoint, removeCodePlaygroundEndpoint } from './playgrounds.ts'
import {
  addRealmDomainEndpoint,
  getRealmDomainsEndpoint,
  removeRealmDomainEndpoint,
  updateRealmDomainEndpoint,
} from './realm-domains.ts'
import { testWelcomeMessageEndpoint } from './test-welcome-message.ts'
import { updateRealmEndpoint } from './update-realm.ts'
import { updateUserSettingsDefaultsEndpoint } from './update-user-settings-defaults.ts'

export const REALM_ENDPOINTS: readonly Endpoint[] = [
  addCodePlaygroundEndpoint,
  addLinkifierEndpoint,
  getLinkifiersEndpoint,
  removeCodePlaygroundEndpoint,
  removeLinkifierEndpoint,
  reorderLinkifiersEndpoint,
  updateLinkifierEndpoint,
  addRealmDomainEndpoint,
  deactivateCustomEmojiEndpoint,
  deactivateRealmEndpoint,
  getCustomEmojiEndpoint,
  getRealmDomainsEndpoint,
  removeRealmDomainEndpoint,
  updateRealmDomainEndpoint,
  testWelcomeMessageEndpoint,
  updateRealmEndpoint,
  updateUserSettingsDefaultsEndpoint,
  uploadCustomEmojiEndpoint,
]

export const REALM_STEPS: readonly Operation[] = [enterCustomEmojiStep]
