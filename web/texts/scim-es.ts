import type { scimEn } from './scim-en.ts'

/** Spanish texts of provisioning. */
export const scimEs: typeof scimEn = {
  hint: 'Gestiona cuentas y grupos desde un proveedor de identidad, como Okta o Microsoft Entra ID, con SCIM 2.0.',
  address: 'URL base de SCIM',
  token: 'Token',
  none: 'Sin token. El aprovisionamiento está desactivado.',
  shownOnce: 'Copia este token ahora. No se volverá a mostrar.',
  make: 'Crear token',
  replace: 'Reemplazar token',
  replaceQuestion: '¿Reemplazar el token?',
  replaceHint:
    'El token actual sigue funcionando siete días, para que tengas tiempo de actualizar el proveedor de identidad.',
  replaceUnusedHint: 'Todavía no se ha usado y dejará de funcionar de inmediato.',
  madeBy: (name, ago) => `Creado por ${name} ${ago}`,
  used: (ago) => `último uso ${ago}`,
  unused: 'aún no se ha usado',
  former: (day) => `El token anterior funciona hasta el ${day}.`,
  formerUsed: (ago) => `Último uso: ${ago}.`,
  endFormer: 'Revocar ahora el token anterior',
  endFormerQuestion: '¿Revocar el token anterior?',
  endFormerHint: 'Un proveedor de identidad que aún lo use perderá el acceso.',
  remove: 'Desactivar el aprovisionamiento',
  removeQuestion: '¿Desactivar el aprovisionamiento?',
  removeHint: 'El token deja de funcionar. Las cuentas y los grupos se quedan como están.',
  owners: 'Puede gestionar propietarios',
  ownersHint:
    'El proveedor de identidad puede añadir y reactivar propietarios, y cambiar sus roles y direcciones de correo. Nunca puede desactivar al último.',
}
