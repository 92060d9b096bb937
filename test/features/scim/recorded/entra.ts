import { ERROR, GROUP, LIST, NOBODY_FOUND, patchOf, type Recorded, USER } from './recording.ts'

/**
 * What the provisioning service of Microsoft Entra ID sends, by "Develop and plan provisioning for a SCIM endpoint" and the notes about its
 * compatibility: verbs with a capital, `active` as a text without the flag `aadOptscim062020`, members with `$ref: null`, and a removal of
 * members that names them in its value.
 */
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const AD_GROUP = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'
const ADDRESS = 'test_user_00aa00aa@contoso.example.com'
const OBJECT = '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef'
const GROUP_OBJECT = '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159'

const found = (filter: string) => `/Users?filter=${encodeURIComponent(filter).replaceAll('%20', '+')}`

export const ENTRA: readonly Recorded[] = [
  {
    step: 'Test connection: somebody who cannot be there',
    method: 'GET',
    path: found('userName eq "3c2f6a35-8a40-4d02-a3f6-5b7b6f9e6a10"'),
    status: 200,
    answer: NOBODY_FOUND,
  },
  {
    step: 'Test connection: a group that cannot be there',
    method: 'GET',
    path: '/Groups?excludedAttributes=members&filter=displayName+eq+%223c2f6a35-8a40-4d02%22',
    status: 200,
    answer: NOBODY_FOUND,
  },
  { step: 'Is there anything?', method: 'HEAD', path: '/Users?count=1', status: 200 },
  {
    step: 'Discover the schema',
    method: 'GET',
    path: '/Schemas',
    status: 200,
    answer: {
      schemas: [LIST],
      totalResults: 2,
      Resources: [
        { id: USER, name: 'User' },
        { id: GROUP, name: 'Group' },
      ],
    },
  },
  {
    step: 'Match by another attribute',
    method: 'GET',
    path: found(`emails[type eq "work"].value eq "${ADDRESS}"`),
    status: 200,
    answer: NOBODY_FOUND,
  },
  {
    step: 'Match',
    method: 'GET',
    path: found(`userName eq "${ADDRESS}"`),
    status: 200,
    answer: NOBODY_FOUND,
  },
  {
    step: 'Create the user',
    method: 'POST',
    path: '/Users',
    body: {
      schemas: [USER, ENTERPRISE],
      externalId: OBJECT,
      userName: ADDRESS,
      active: true,
      displayName: 'givenName familyName',
      title: 'Engineer',
      emails: [{ primary: true, type: 'work', value: ADDRESS }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      addresses: [{ type: 'work', country: 'DE' }],
      roles: [],
      [ENTERPRISE]: { department: 'R&D', employeeNumber: '7' },
    },
    status: 201,
    keepsId: 'user',
    answer: {
      schemas: [USER],
      externalId: OBJECT,
      userName: ADDRESS,
      active: true,
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      emails: [{ value: ADDRESS, type: 'work', primary: true }],
      role: 'member',
      meta: { resourceType: 'User' },
    },
  },
  {
    step: 'Read it',
    method: 'GET',
    path: '/Users/{{user}}',
    status: 200,
    answer: { id: '{{user}}', externalId: OBJECT },
  },
  {
    step: 'Update several values, some of which are not here',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: patchOf(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'other@contoso.example.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '555' },
      { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Sales' },
      { op: 'Remove', path: 'addresses[type eq "work"].country' },
    ),
    status: 200,
    answer: {
      userName: ADDRESS,
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
      displayName: 'givenName updatedFamilyName',
      emails: [{ value: ADDRESS, type: 'work', primary: true }],
    },
  },
  {
    step: 'Update without a path, with paths as names',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: patchOf({
      op: 'Replace',
      value: { displayName: 'Robert', 'name.givenName': 'Robert', [`${ENTERPRISE}:department`]: 'IT' },
    }),
    status: 200,
    answer: { displayName: 'Robert', name: { givenName: 'Robert', familyName: 'updatedFamilyName' } },
  },
  {
    step: 'Update the name with which somebody logs in',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: patchOf({ op: 'Replace', path: 'userName', value: '5b50642d@contoso.example.com' }),
    status: 200,
    answer: { userName: '5b50642d@contoso.example.com' },
  },
  {
    step: 'Give an app role',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: patchOf({ op: 'Add', path: 'roles[primary eq "True"].value', value: 'Moderator' }),
    status: 200,
    answer: { role: 'moderator' },
  },
  {
    step: 'Give a list of app roles',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: patchOf({
      op: 'Add',
      path: 'roles',
      value: [{ value: 'administrator', display: 'Administrator', type: 'WindowsAzureActiveDirectoryRole' }],
    }),
    status: 200,
    answer: { role: 'administrator' },
  },
  {
    step: 'Disable the user',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: patchOf({ op: 'Replace', path: 'active', value: false }),
    status: 200,
    answer: { active: false },
  },
  {
    step: 'It is still found',
    method: 'GET',
    path: found('userName eq "5b50642d@contoso.example.com"'),
    status: 200,
    answer: { totalResults: 1, Resources: [{ active: false }] },
  },
  {
    step: 'Restore it, with the text of old configurations',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: patchOf({ op: 'Replace', path: 'active', value: 'True' }),
    status: 200,
    answer: { active: true },
  },
  {
    step: 'Disable it, in the form of the reference code',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: patchOf({ op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] }),
    status: 200,
    answer: { active: false },
  },
  {
    step: 'Create a group',
    method: 'POST',
    path: '/Groups',
    body: {
      schemas: [GROUP, AD_GROUP],
      externalId: GROUP_OBJECT,
      displayName: 'contoso-displayName',
      meta: { resourceType: 'Group' },
    },
    status: 201,
    keepsId: 'group',
    answer: { externalId: GROUP_OBJECT, displayName: 'contoso-displayName', members: [] },
  },
  {
    step: 'Read the group without its members',
    method: 'GET',
    path: '/Groups/{{group}}?excludedAttributes=members',
    status: 200,
    answer: { id: '{{group}}', displayName: 'contoso-displayName' },
  },
  {
    step: 'Find the group by its name',
    method: 'GET',
    path: '/Groups?excludedAttributes=members&filter=displayName%20eq%20%22contoso-displayName%22',
    status: 200,
    answer: { totalResults: 1, Resources: [{ id: '{{group}}', externalId: GROUP_OBJECT }] },
  },
  {
    step: 'Rename the group',
    method: 'PATCH',
    path: '/Groups/{{group}}',
    body: patchOf({ op: 'Replace', path: 'displayName', value: '1879db59updatedDisplayName' }),
    status: 204,
  },
  {
    step: 'Add members',
    method: 'PATCH',
    path: '/Groups/{{group}}',
    body: patchOf({
      op: 'Add',
      path: 'members',
      value: [
        { $ref: null, value: '{{user}}' },
        { $ref: null, value: '{{member}}' },
      ],
    }),
    status: 204,
  },
  {
    step: 'Is somebody a member?',
    method: 'GET',
    path: '/Groups?filter=id+eq+%22{{group}}%22+and+members+eq+%22{{member}}%22&attributes=id',
    status: 200,
    answer: { totalResults: 1, Resources: [{ id: '{{group}}' }] },
  },
  {
    step: 'Remove a member',
    method: 'PATCH',
    path: '/Groups/{{group}}',
    body: patchOf({ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{{member}}' }] }),
    status: 204,
  },
  {
    step: 'Remove a member, with the flag',
    method: 'PATCH',
    path: '/Groups/{{group}}',
    body: patchOf({ op: 'Remove', path: 'members[value eq "{{user}}"]' }),
    status: 204,
  },
  {
    step: 'Is somebody a member now?',
    method: 'GET',
    path: '/Groups?filter=id+eq+%22{{group}}%22+and+members+eq+%22{{member}}%22&attributes=id',
    status: 200,
    answer: NOBODY_FOUND,
  },
  { step: 'Delete the group', method: 'DELETE', path: '/Groups/{{group}}', status: 204 },
  { step: 'Delete the user', method: 'DELETE', path: '/Users/{{user}}', status: 204 },
  {
    step: 'It is gone',
    method: 'GET',
    path: '/Users/{{user}}',
    status: 404,
    answer: { schemas: [ERROR], status: '404' },
  },
]
