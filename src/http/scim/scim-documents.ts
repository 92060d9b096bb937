import { MAX_MEMBERS } from '../../model/scim/read-scim-group.ts'
import { GROUP_SCHEMA, ROLE_NAMES, USER_SCHEMA } from '../../model/scim/scim-answer.ts'
import { SCIM_PATH } from '../../model/scim/scim-token.ts'

/** This server's description for identity providers (RFC 7643, 5 to 7). */

const DOCUMENTATION = 'https://datatracker.ietf.org/doc/html/rfc7644'
const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

export const MAX_RESULTS = 500

export function serviceProviderConfig(origin: string) {
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    documentationUri: DOCUMENTATION,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token that an owner of the organization has made',
        specUri: 'https://datatracker.ietf.org/doc/html/rfc6750',
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: `${origin}${SCIM_PATH}/ServiceProviderConfig`,
    },
  }
}

export function resourceTypes(origin: string) {
  return [
    resourceType('User', '/Users', USER_SCHEMA, origin),
    resourceType('Group', '/Groups', GROUP_SCHEMA, origin),
  ]
}

function resourceType(name: string, endpoint: string, schema: string, origin: string) {
  return {
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint,
    schema,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${origin}${SCIM_PATH}/ResourceTypes/${name}` },
  }
}

export function schemas(origin: string) {
  return [
    schema(USER_SCHEMA, 'User', 'An account of a person', USER_ATTRIBUTES, origin),
    schema(GROUP_SCHEMA, 'Group', 'A user group', GROUP_ATTRIBUTES, origin),
  ]
}

function schema(
  id: string,
  name: string,
  description: string,
  attributes: readonly object[],
  origin: string,
) {
  return {
    schemas: [`${CORE}:Schema`],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${origin}${SCIM_PATH}/Schemas/${id}` },
  }
}

/** Returns an attribute: optional and writable by identity providers unless `more` says otherwise. */
function attribute(name: string, description: string, more: object = {}) {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...more,
  }
}

const READ_ONLY = { mutability: 'readOnly' }
const roleNames = { canonicalValues: Object.keys(ROLE_NAMES) }

const USER_ATTRIBUTES = [
  attribute('userName', 'The e-mail address of the account', { required: true, uniqueness: 'server' }),
  attribute('displayName', 'The full name'),
  attribute('name', 'The parts of the name', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The full name'),
      attribute('givenName', 'The given name'),
      attribute('familyName', 'The family name'),
    ],
  }),
  attribute('emails', 'The e-mail address once more', {
    type: 'complex',
    multiValued: true,
    ...READ_ONLY,
    subAttributes: [
      attribute('value', 'The address', READ_ONLY),
      attribute('type', 'Always work', READ_ONLY),
      attribute('primary', 'Always true', { type: 'boolean', ...READ_ONLY }),
    ],
  }),
  attribute('active', 'Whether the account is open', { type: 'boolean' }),
  attribute('externalId', 'The id that the identity provider has for the account', { caseExact: true }),
  attribute('role', 'The role in the organization', roleNames),
  attribute('roles', 'The role as a list of one', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The role', roleNames),
      attribute('primary', 'Always true', { type: 'boolean' }),
    ],
  }),
]

const GROUP_ATTRIBUTES = [
  attribute('displayName', 'The name of the group', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'The id that the identity provider has for the group', { caseExact: true }),
  attribute('members', `The members, at most ${MAX_MEMBERS} in a request`, {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of a user', { caseExact: true, mutability: 'immutable' }),
      attribute('type', 'Always User', { mutability: 'immutable', canonicalValues: ['User'] }),
    ],
  }),
]
