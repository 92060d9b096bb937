import { grouped } from './locale.ts'
import { counter } from './plural.ts'
import type { ReadingTexts } from './reading-en.ts'

const counted = counter('es')

export const readingEs: ReadingTexts = {
  viewer: {
    zoom: 'Zoom',
    previous: 'Anterior',
    next: 'Siguiente',
    failed: 'No se pudo cargar esta imagen',
  },
  pdf: {
    file: 'PDF',
    previous: 'Página anterior',
    next: 'Página siguiente',
    page: (page, of) => `Página ${page} de ${of}`,
    onlyFirst: (count) =>
      `Solo se muestran las primeras ${count} páginas. Descarga el archivo para ver el resto.`,
    tooLarge: (megabytes) =>
      `Los archivos de más de ${megabytes} MB no tienen vista previa. Descárgalo para leerlo.`,
    unreadable: 'No se pudo mostrar este archivo. Descárgalo para leerlo.',
  },
  widget: {
    newTask: 'Nueva tarea',
    add: 'Añadir',
    votes: (option, count) => `${option}: ${counted(count, { one: '# voto', other: '# votos' })}`,
  },
  search: {
    title: 'Buscar',
    filters: 'Filtros',
    results: (count, isAll) =>
      isAll
        ? counted(count, { one: '# resultado', other: '# resultados' })
        : `Más de ${grouped(count)} resultados`,
    from: 'De',
    in: 'En',
    date: 'Fecha',
    has: 'Contiene',
    removeFilter: (name) => `Quitar el filtro: ${name}`,
    findPerson: 'Buscar a una persona',
    findChannel: 'Buscar un canal',
    days: { 0: 'Hoy', 7: 'Últimos 7 días', 30: 'Últimos 30 días', 365: 'Últimos 12 meses' },
    after: 'Desde',
    before: 'Antes de',
    apply: 'Aplicar',
    anyTime: 'Cualquier fecha',
    since: (day) => `Desde el ${day}`,
    until: (day) => `Antes del ${day}`,
    between: (from, to) => `${from} – ${to}`,
    kinds: { link: 'Enlaces', image: 'Imágenes', attachment: 'Archivos', reaction: 'Reacciones' },
    newest: 'Más recientes primero',
    oldest: 'Más antiguos primero',
    inContext: 'Ver en contexto',
    more: 'Mostrar más resultados',
    save: 'Guardar búsqueda',
    saved: (name) => `«${name}» guardada en la barra lateral`,
    name: 'Nombre',
    none: 'Sin resultados',
    noneHint: 'Revisa la ortografía, usa menos palabras o quita un filtro.',
    noneHere: 'Nada coincide con todos estos filtros.',
    clear: 'Quitar todos los filtros',
    rename: 'Cambiar nombre',
    remove: 'Quitar de la barra lateral',
    removed: (name) => `«${name}» eliminada`,
  },
}
