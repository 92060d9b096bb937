import type { BotsTexts } from './bots-en.ts'
import { counter } from './plural.ts'
import { servicesFr } from './services-fr.ts'

const counted = counter('fr')

/** French texts of bots. */
export const botsFr: BotsTexts = {
  nothing: 'Aucun bot.',
  create: 'Nouveau bot',
  type: 'Type',
  integrations:
    'Les intégrations pour GitHub, GitLab, Grafana, Sentry et bien d’autres sont des webhooks entrants.',
  types: {
    1: 'Générique : lit et envoie des messages',
    2: 'Webhook entrant : publie les messages d’un service',
    3: 'Webhook sortant : appelle votre URL',
  },
  short: 'Nom d’utilisateur',
  owner: 'Propriétaire',
  giveAway: (name) => `Transférer ${name} ?`,
  giveAwayButton: 'Transférer',
  giveAwayHint: 'Le nouveau propriétaire le gère. Vous ne pourrez pas le reprendre vous-même.',
  takeOver: (name) => `Reprendre ${name}\u00a0?`,
  takeOverButton: 'Reprendre',
  takeOverHint:
    'Le bot quitte tous les canaux que vous ne pouvez pas lire et perd sa clé, son adresse et tout ce qu’il avait enregistré. Son propriétaire en est informé.',
  channels: {
    default_sending_stream: 'Canal par défaut de ses messages',
    default_events_register_stream: 'Canal dont il reçoit les événements',
  },
  url: 'URL de destination',
  showKey: 'Afficher la clé',
  showAddress: 'Afficher l’adresse',
  deactivateQuestion: (name) => `Désactiver ${name} ?`,
  deactivateHint: 'Sa clé API cesse de fonctionner. Ses messages restent.',
  signature: 'Signature',
  signed:
    'Les requêtes sont signées (Standard Webhooks). Le secret ne peut plus être affiché, seulement remplacé.',
  secretHint:
    'Les requêtes sont signées avec ce secret (Standard Webhooks). Copiez-le maintenant : il ne sera plus affiché.',
  newSecret: 'Nouveau secret',
  newSecretQuestion: 'Créer un nouveau secret ?',
  newSecretHint:
    'Pendant un jour, les requêtes sont signées avec les deux secrets, le temps de mettre à jour votre destination.',
  events: 'Abonnements aux événements',
  eventsHint: 'Seulement ce que le bot peut voir. Dans les canaux privés, il doit être membre.',
  inChannels: (count) =>
    counted(count, { one: 'Seulement dans # canal.', other: 'Seulement dans # canaux.' }),
  deliveries: 'Envois récents',
  noDeliveries: 'Aucun envoi.',
  noAnswer: 'pas de réponse',
  triggers: {
    direct_message: 'Message direct',
    mention: 'Mention',
    message: 'Message dans un canal',
    reaction: 'Réaction',
    subscription: 'Arrivée dans un canal',
    new_person: 'Nouvelle personne',
  },
  attempt: (number) => `tentative ${number}`,
  took: (ms) => `${ms} ms`,
  answer: 'Réponse',
  sendAgain: 'Renvoyer',
  reload: 'Actualiser',
  connect: 'Connecter un service',
  service: 'Service',
  otherService: 'Autre (modèle personnalisé)',
  serviceEvents: 'Événements',
  eventFilters: {
    all: 'Tous les événements',
    only: 'Seulement les événements sélectionnés',
    except: 'Tous sauf les événements sélectionnés',
  },
  postsTo: 'Publie dans',
  toMe: 'Un message direct pour moi',
  toDefault: 'Le canal par défaut du bot, ou moi',
  topic: 'Sujet',
  ownTopic: 'Choisi par l’intégration',
  options: {
    branches: 'Seulement ces branches : noms ou motifs, séparés par des virgules',
    desc: 'Label ou annotation qui décrit une alerte, au lieu d’alertname',
    ignore_private_repositories: 'Ignorer les dépôts privés',
    name: 'Label ou annotation qui sert de sujet à une alerte, au lieu d’instance',
    use_merge_request_title: 'Afficher le titre des merge requests dans le sujet (oui par défaut)',
  },
  switches: { '': 'Par défaut', true: 'Oui', false: 'Non' },
  address: 'URL du webhook',
  addressHint: (service) =>
    `Saisissez-la dans ${service || 'le service'}, avec JSON comme type de contenu. Toute personne qui connaît cette URL peut publier.`,
  services: servicesFr,
  stepsTitle: (service) => `Dans ${service || 'le service'}`,
  looksLikeOther: 'Format de l’URL',
  addressForms: { own: 'Standard', other: (service) => `Compatible avec ${service}` },
  sendTest: 'Envoyer un test',
  testOutcomes: {
    sent: 'Message de test envoyé.',
    nothing: 'Le test est arrivé, mais votre filtre d’événements l’ignore.',
    refused: 'Le test a été refusé :',
  },
  incoming: {
    title: 'Publications récentes',
    nothing: 'Aucune publication.',
    outcomes: { sent: 'Envoyé', nothing: 'Ignoré', refused: 'Refusé' },
  },
  signs: (service, where) => `${service} : ${where}.`,
  signsNothing: (service) => `${service} ne signe pas ses envois. Avec un secret, ils seront tous refusés.`,
  whichChannels: 'Canaux',
  allChannels: 'Tous les canaux qu’il peut voir',
  someChannels: 'Seulement les canaux sélectionnés',
  secret: 'Secret',
  incomingSecretHint:
    'Saisissez le même secret dans le service. Les envois sans signature valide sont refusés.',
  secrets: (count) =>
    count === 0
      ? 'Aucun secret. Les signatures ne sont pas vérifiées.'
      : count === 1
        ? 'Un secret est défini.'
        : 'Deux secrets fonctionnent : l’actuel et le précédent.',
  setSecret: 'Définir un secret',
  replaceSecret: 'Remplacer le secret',
  keepSecret: 'Continuer à accepter le secret précédent',
  removeSecret: 'Supprimer le secret',
  removeSecretQuestion: 'Supprimer le secret ?',
  removeSecretHint:
    'Les signatures ne seront plus vérifiées : toute personne qui connaît l’URL pourra publier.',
  mentions: 'Mentions',
  allowsMentions: 'Autoriser les mentions à notifier',
  allowsMentionsHint:
    'Toute personne qui peut écrire dans le service pourra envoyer des notifications aux personnes d’ici.',
  template: {
    title: 'Modèle',
    hint: 'Transformez n’importe quel JSON en message. Sans modèle de message, le JSON est publié tel quel.',
    topic: 'Modèle du sujet',
    text: 'Modèle du message',
    sample: 'Exemple de données (JSON)',
    preview: 'Aperçu',
    noJson: 'Saisissez un objet ou un tableau JSON.',
    save: 'Enregistrer le modèle',
    syntax: [
      [
        '{{host.name}}',
        'une valeur des données ; les éléments d’un tableau se comptent à partir de 0 : {{files.0.name}}',
      ],
      ['{{finished_at | time}}', 'une heure, dans le fuseau horaire de chacun'],
      ['{{files | list: name}}', 'une ligne par élément'],
      ['{{owner | default: "nobody"}}', 'un texte pour une valeur vide'],
      ['| raw, | quote, | code', 'une valeur comme Markdown, citation ou code'],
    ],
  },
}
