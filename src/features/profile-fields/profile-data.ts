import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonIds } from '../../api/parameter-types.ts'
import { profileData } from '../../api/shared-parameters.ts'
import { removeOwnProfileData, updateOwnProfileData } from '../../model/profile-fields/change-profile-data.ts'

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
