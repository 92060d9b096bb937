import type { FrameTexts } from './frame-en.ts'

export const frameEs: FrameTexts = {
  status: {
    set: 'Definir un estado',
    edit: 'Editar estado',
    clear: 'Borrar estado',
    title: 'Estado',
    text: '¿Cuál es tu estado?',
    emoji: 'Elegir un emoji',
    noEmoji: 'Quitar emoji',
    presets: 'Sugerencias',
    names: {
      meeting: 'En una reunión',
      commuting: 'De camino',
      sick: 'De baja',
      away: 'De vacaciones',
      remote: 'Trabajando a distancia',
    },
    clearAfter: 'Borrar después de',
    expiries: {
      never: 'No borrar',
      half: '30 minutos',
      hour: '1 hora',
      four: '4 horas',
      today: 'Hoy',
      week: 'Esta semana',
    },
    expiryHint:
      'Lo borra este navegador. Si Parley no está abierto aquí en ese momento, se borrará la próxima vez que lo abras.',
    until: (time) => `Hasta ${time}`,
  },
  goInvisible: 'Aparecer como ausente',
  goVisible: 'Mostrar cuándo estoy en línea',
  quiet: {
    title: 'Pausar notificaciones',
    pauses: { half: 'Durante 30 minutos', hour: 'Durante 1 hora', tomorrow: 'Hasta mañana' },
    schedule: 'Horario de notificaciones',
    scheduleHint:
      'Las notificaciones y los sonidos de esta página se pausan cada día entre estas horas. Las notificaciones push siguen llegando mientras está cerrada.',
    daily: 'Pausar cada día',
    from: 'Desde',
    to: 'Hasta',
    isOn: (time) => `En pausa hasta ${time}`,
    isScheduled: 'En pausa según tu horario',
    resume: 'Reanudar notificaciones',
  },
}
