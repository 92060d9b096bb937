import type { FrameTexts } from './frame-en.ts'

export const frameFr: FrameTexts = {
  status: {
    set: 'Définir un statut',
    edit: 'Modifier le statut',
    clear: 'Effacer le statut',
    title: 'Statut',
    text: 'Quel est votre statut ?',
    emoji: 'Choisir un émoji',
    noEmoji: 'Retirer l’émoji',
    presets: 'Suggestions',
    names: {
      meeting: 'En réunion',
      commuting: 'Dans les transports',
      sick: 'En arrêt maladie',
      away: 'En congé',
      remote: 'En télétravail',
    },
    clearAfter: 'Effacer après',
    expiries: {
      never: 'Ne pas effacer',
      half: '30 minutes',
      hour: '1 heure',
      four: '4 heures',
      today: 'Aujourd’hui',
      week: 'Cette semaine',
    },
    expiryHint:
      'C’est ce navigateur qui l’efface. Si Parley n’y est pas ouvert à ce moment-là, le statut est effacé à la prochaine ouverture.',
    until: (time) => `Jusqu’à ${time}`,
  },
  goInvisible: 'Apparaître absent',
  goVisible: 'Montrer quand je suis en ligne',
  quiet: {
    title: 'Suspendre les notifications',
    pauses: { half: 'Pendant 30 minutes', hour: 'Pendant 1 heure', tomorrow: 'Jusqu’à demain' },
    schedule: 'Horaires des notifications',
    scheduleHint:
      'Les notifications et les sons de cette page sont suspendus chaque jour entre ces heures. Les notifications push arrivent toujours quand elle est fermée.',
    daily: 'Suspendre chaque jour',
    from: 'De',
    to: 'À',
    isOn: (time) => `Suspendues jusqu’à ${time}`,
    isScheduled: 'Suspendues selon vos horaires',
    resume: 'Réactiver les notifications',
  },
}
