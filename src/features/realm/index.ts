import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import { checkSubdomainEndpoint } from './check-subdomain.ts'
import {
  deactivateCustomEmojiEndpoint,
  enterCustomEmojiStep,
  getCustomEmojiEndpoint,
  uploadCustomEmojiEndpoint,
} from './custom-emoji.ts'
import {
  askReactivationStep,
  deactivateRealmEndpoint,
  reactivateRealmStep,
  showReactivationStep,
} from './deactivation.ts'
import { getJwtSecretEndpoint, removeJwtSecretEndpoint, setJwtSecretEndpoint } from './jwt-secret.ts'
import {
  addLinkifierEndpoint,
  getLinkifiersEndpoint,
  removeLinkifierEndpoint,
  reorderLinkifiersEndpoint,
  updateLinkifierEndpoint,
} from './linkifiers.ts'
import { testWelcomeMessageEndpoint, updateUserSettingsDefaultsEndpoint } from './newcomers.ts'
import { addCodePlaygroundEndpoint, removeCodePlaygroundEndpoint } from './playgrounds.ts'
import {
  addRealmDomainEndpoint,
  getRealmDomainsEndpoint,
  removeRealmDomainEndpoint,
  updateRealmDomainEndpoint,
} from './realm-domains.ts'
import {
  deleteRealmIconEndpoint,
  deleteRealmLogoEndpoint,
  enterRealmImageStep,
  getRealmIconEndpoint,
  getRealmLogoEndpoint,
  uploadRealmIconEndpoint,
  uploadRealmLogoEndpoint,
} from './realm-images.ts'
import { updateRealmEndpoint } from './update-realm.ts'

export const REALM_ENDPOINTS: readonly Endpoint[] = [
  deleteRealmIconEndpoint,
  deleteRealmLogoEndpoint,
  getRealmIconEndpoint,
  getRealmLogoEndpoint,
  uploadRealmIconEndpoint,
  uploadRealmLogoEndpoint,
  addCodePlaygroundEndpoint,
  addLinkifierEndpoint,
  getLinkifiersEndpoint,
  removeCodePlaygroundEndpoint,
  removeLinkifierEndpoint,
  reorderLinkifiersEndpoint,
  updateLinkifierEndpoint,
  addRealmDomainEndpoint,
  getJwtSecretEndpoint,
  removeJwtSecretEndpoint,
  setJwtSecretEndpoint,
  deactivateCustomEmojiEndpoint,
  checkSubdomainEndpoint,
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

export const REALM_STEPS: readonly Operation[] = [
  enterCustomEmojiStep,
  enterRealmImageStep,
  askReactivationStep,
  showReactivationStep,
  reactivateRealmStep,
]
