import * as v from 'valibot'
import {
  removeOwnProfileData,
  updateOwnProfileData,
} from '../../domain/profile-fields/change-profile-data.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, WEB_ADDRESS_LENGTH } from '../input-limits.ts'
import { integer, json, jsonIds, listUpTo, textUpTo } from '../parameter-types.ts'

/** Values for profile fields: text, or the ids of people; null removes a value. */
export const profileData = json(
  listUpTo(
    MAX_HANDMADE_LIST_LENGTH,
    v.object({
      id: integer,
      value: v.nullable(v.union([textUpTo(WEB_ADDRESS_LENGTH), listUpTo(MAX_HANDMADE_LIST_LENGTH, integer)])),
    }),
  ),
)

/** Changes the caller's own profile. Source: docs/interface/users.md#profile-data. */
export const updateOwnProfileDataEndpoint = defineEndpoint({
  operation: 'update-own-profile-data',
  method: 'PATCH',
  path: '/users/me/profile_data',
  access: 'human',
  params: { data: profileData },
  returns: v.object({}),
  command: updateOwnProfileData,
  audit: 'own',
})

export const removeOwnProfileDataEndpoint = defineEndpoint({
  operation: 'remove-own-profile-data',
  method: 'DELETE',
  path: '/users/me/profile_data',
  access: 'human',
  params: { data: jsonIds },
  returns: v.object({}),
  command: removeOwnProfileData,
  audit: 'own',
})
