import { grouped } from './locale.ts'
import { counter } from './plural.ts'
import type { ReadingTexts } from './reading-en.ts'

const counted = counter('fr')

export const readingFr: ReadingTexts = {
  viewer: {
    zoom: 'Zoom',
    previous: 'Précédente',
    next: 'Suivante',
    failed: 'Impossible de charger cette image',
  },
  pdf: {
    file: 'PDF',
    previous: 'Page précédente',
    next: 'Page suivante',
    page: (page, of) => `Page ${page} sur ${of}`,
    onlyFirst: (count) =>
      `Seules les ${count} premières pages sont affichées. Téléchargez le fichier pour voir la suite.`,
    tooLarge: (megabytes) =>
      `Pas d’aperçu pour les fichiers de plus de ${megabytes} Mo. Téléchargez-le pour le lire.`,
    unreadable: 'Impossible d’afficher ce fichier. Téléchargez-le pour le lire.',
  },
  widget: {
    newTask: 'Nouvelle tâche',
    add: 'Ajouter',
    votes: (option, count) => `${option} : ${counted(count, { one: '# vote', other: '# votes' })}`,
  },
  search: {
    title: 'Rechercher',
    filters: 'Filtres',
    results: (count, isAll) =>
      isAll
        ? counted(count, { one: '# résultat', other: '# résultats' })
        : `Plus de ${grouped(count)} résultats`,
    from: 'De',
    in: 'Dans',
    date: 'Date',
    has: 'Contient',
    removeFilter: (name) => `Retirer le filtre : ${name}`,
    findPerson: 'Rechercher une personne',
    findChannel: 'Rechercher un canal',
    days: { 0: 'Aujourd’hui', 7: '7 derniers jours', 30: '30 derniers jours', 365: '12 derniers mois' },
    after: 'À partir du',
    before: 'Avant le',
    apply: 'Appliquer',
    anyTime: 'À tout moment',
    since: (day) => `Depuis le ${day}`,
    until: (day) => `Avant le ${day}`,
    between: (from, to) => `${from} – ${to}`,
    kinds: { link: 'Liens', image: 'Images', attachment: 'Fichiers', reaction: 'Réactions' },
    newest: 'Plus récents d’abord',
    oldest: 'Plus anciens d’abord',
    inContext: 'Voir le contexte',
    more: 'Afficher plus de résultats',
    save: 'Enregistrer la recherche',
    saved: (name) => `« ${name} » enregistrée dans la barre latérale`,
    name: 'Nom',
    none: 'Aucun résultat',
    noneHint: 'Vérifiez l’orthographe, utilisez moins de mots ou retirez un filtre.',
    noneHere: 'Rien ne correspond à tous ces filtres.',
    clear: 'Retirer tous les filtres',
    rename: 'Renommer',
    remove: 'Retirer de la barre latérale',
    removed: (name) => `« ${name} » retirée`,
  },
}
