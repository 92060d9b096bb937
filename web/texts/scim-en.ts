/** English texts of provisioning. */
export const scimEn = {
  hint: 'Manage accounts and groups from an identity provider, such as Okta or Microsoft Entra ID, with SCIM 2.0.',
  address: 'SCIM base URL',
  token: 'Token',
  none: 'No token. Provisioning is off.',
  shownOnce: 'Copy this token now. It won’t be shown again.',
  make: 'Create token',
  replace: 'Replace token',
  replaceQuestion: 'Replace the token?',
  replaceHint:
    'The current token keeps working for seven days, so you have time to update the identity provider.',
  replaceUnusedHint: 'The current token hasn’t been used yet. It will stop working right away.',
  madeBy: (name: string, ago: string): string => `Created by ${name} ${ago}`,
  used: (ago: string): string => `last used ${ago}`,
  unused: 'not used yet',
  former: (day: string): string => `The previous token works until ${day}.`,
  formerUsed: (ago: string): string => `It was last used ${ago}.`,
  endFormer: 'Revoke the previous token now',
  endFormerQuestion: 'Revoke the previous token?',
  endFormerHint: 'An identity provider that still uses it will be locked out.',
  remove: 'Turn off provisioning',
  removeQuestion: 'Turn off provisioning?',
  removeHint: 'The token stops working. Accounts and groups stay as they are.',
  owners: 'Can manage owners',
  ownersHint:
    'The identity provider can add and reactivate owners, and change their roles and email addresses. It can never deactivate the last one.',
}
