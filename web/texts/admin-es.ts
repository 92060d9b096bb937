import type { BulkTexts, PermissionsTexts } from './admin-en.ts'
import { grouped } from './locale.ts'
import { counter } from './plural.ts'

const counted = counter('es')

/** Spanish texts of administration. */
export const permissionsEs: PermissionsTexts = {
  plus: 'y',
  noOneElse: 'Nadie más',
  onlyThese: 'Solo',
  find: 'Buscar personas o grupos',
  addTo: (permission) => `Añadir a «${permission}»`,
}

export const bulkEs: BulkTexts = {
  all: 'Seleccionar todo',
  chosen: (count) => counted(count, { one: '# seleccionada', other: '# seleccionadas' }),
  choose: (name) => `Seleccionar a ${name}`,
  role: 'Cambiar rol',
  channel: 'Añadir a un canal',
  group: 'Añadir a un grupo',
  targets: { role: 'Nuevo rol', channel: 'Canal', group: 'Grupo' },
  change: (count) => counted(count, { one: 'Cambiar # rol', other: 'Cambiar # roles' }),
  add: (count) => counted(count, { one: 'Añadir # persona', other: 'Añadir # personas' }),
  changed: (count) => `Cambios guardados para ${grouped(count)} personas.`,
  deactivateQuestion: (count) => `¿Desactivar ${grouped(count)} cuentas?`,
  deactivated: (count) => `Se desactivaron ${grouped(count)} cuentas.`,
  makeOwners: (count) => `¿Convertir a ${grouped(count)} personas en propietarias?`,
}
