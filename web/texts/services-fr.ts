import { furtherServicesFr } from './further-services-fr.ts'
import type { ServiceGuides } from './service-guide.ts'

/** French texts about services. Names on the services’ own pages are left in English. */
export const servicesFr: ServiceGuides = {
  ...furtherServicesFr,
  alertmanager: {
    about: 'Alertes de Prometheus, à leur début et à leur fin, regroupées par leur label.',
    steps: [
      'Dans `alertmanager.yml`, ajoutez un receiver avec `webhook_configs`, et l’adresse comme `url`.',
      'Indiquez ce receiver dans `route`.',
      'Rechargez Alertmanager.',
    ],
  },
  bitbucket2: {
    about: 'Pushs, pull requests, tickets, commentaires et états des commits dans Bitbucket Cloud.',
    steps: [
      'Dans le dépôt, ouvrez Repository settings → Webhooks → Add webhook.',
      'Saisissez un titre, et l’adresse dans URL.',
      'Choisissez les déclencheurs, puis enregistrez.',
    ],
    secret: 'le champ Secret du webhook',
  },
  circleci: {
    about: 'Workflows et jobs terminés.',
    steps: [
      'Dans le projet, ouvrez Project Settings → Webhooks → Add Webhook.',
      'Saisissez un nom, et l’adresse dans Receiver URL.',
      'Choisissez les événements, puis enregistrez.',
    ],
    secret: 'le champ Secret token du webhook',
  },
  cloudflare: {
    about: 'Notifications de toute sorte : contrôles d’état, certificats, attaques, builds de Workers.',
    steps: [
      'Dans le compte, ouvrez Notifications → Destinations → Webhooks → Create.',
      'Saisissez un nom, et l’adresse dans URL.',
      'Ajoutez une notification, et choisissez le webhook comme destination.',
    ],
    secret: 'le champ Secret du webhook',
  },
  discord_incoming: {
    about: 'Messages et embeds de programmes capables d’envoyer des notifications à Discord.',
    steps: [
      'Dans le programme, choisissez Discord comme mode de notification.',
      'Saisissez l’adresse dans Webhook URL. Si seules les adresses de Discord sont acceptées, choisissez ici ce format d’adresse.',
      'Choisissez les notifications à envoyer, puis enregistrez.',
    ],
  },
  forgejo: {
    about: 'Pushs, branches, pull requests, tickets, commentaires et versions.',
    steps: [
      'Dans le dépôt, ouvrez Settings → Webhooks → Add webhook → Forgejo.',
      'Saisissez l’adresse dans Target URL, avec POST et application/json.',
      'Choisissez les événements, puis cliquez sur Add webhook.',
    ],
    secret: 'le champ Secret du webhook',
  },
  gitea: {
    about: 'Pushs, branches, pull requests, tickets, commentaires et versions.',
    steps: [
      'Dans le dépôt, ouvrez Settings → Webhooks → Add webhook → Gitea.',
      'Saisissez l’adresse dans Target URL, avec POST et application/json.',
      'Choisissez les événements, puis cliquez sur Add webhook.',
    ],
    secret: 'le champ Secret du webhook',
  },
  github: {
    about:
      'Tout ce qui se passe dans un dépôt ou une organisation : code, revues, tickets, vérifications, alertes.',
    steps: [
      'Dans le dépôt ou l’organisation, ouvrez Settings → Webhooks → Add webhook.',
      'Saisissez l’adresse dans Payload URL, et choisissez application/json.',
      'Choisissez les événements, puis cliquez sur Add webhook.',
    ],
    secret: 'le champ Secret du webhook',
  },
  gitlab: {
    about:
      'Pushs, merge requests, tickets, commentaires, pipelines, versions et plus encore d’un projet ou d’un groupe.',
    steps: [
      'Dans le projet ou le groupe, ouvrez Settings → Webhooks → Add new webhook.',
      'Saisissez l’adresse dans URL.',
      'Choisissez les déclencheurs, puis cliquez sur Add webhook.',
    ],
    secret: 'le champ Secret token du webhook',
  },
  gogs: {
    about: 'Pushs, branches, pull requests, tickets, commentaires et versions.',
    steps: [
      'Dans le dépôt, ouvrez Settings → Webhooks → Add a new webhook → Gogs.',
      'Saisissez l’adresse dans Payload URL, et choisissez application/json.',
      'Choisissez les événements, puis cliquez sur Add Webhook.',
    ],
    secret: 'le champ Secret du webhook',
  },
  grafana: {
    about:
      'Alertes, à leur début et à leur fin, avec leurs labels et leurs valeurs. Grafana 7 est aussi pris en charge.',
    steps: [
      'Ouvrez Alerting → Contact points (depuis Grafana 13, sous Notification configuration), cliquez sur Add contact point et choisissez Webhook comme intégration.',
      'Saisissez l’adresse dans URL, cliquez sur Test, puis enregistrez.',
      'Choisissez le point de contact dans une notification policy.',
    ],
    secret:
      'HMAC signature → Secret du point de contact, avec `X-Grafana-Alerting-Timestamp` comme en-tête d’horodatage',
  },
  jira: {
    about: 'Tickets, commentaires, sprints et versions.',
    steps: [
      'En tant qu’administrateur, ouvrez Settings → System → WebHooks → Create a WebHook.',
      'Saisissez un nom, et l’adresse dans URL.',
      'Choisissez les événements, puis cliquez sur Create.',
    ],
    secret: 'le champ Secret du webhook',
  },
  json: {
    about: 'N’importe quel JSON, tel quel. Pratique pour voir d’abord ce qu’un programme envoie.',
    steps: [
      'Dans le programme, saisissez l’adresse comme URL du webhook, avec la méthode POST.',
      'Comme type de contenu, choisissez `application/json` ; comme corps, un objet ou une liste.',
      'Faites envoyer un premier message, et regardez le résultat.',
    ],
  },
  linear: {
    about: 'Tickets, commentaires, projets et leurs mises à jour, cycles.',
    steps: [
      'Ouvrez Settings → API → Webhooks → New webhook.',
      'Saisissez un nom, et l’adresse dans URL.',
      'Choisissez les équipes et les événements de données, puis créez le webhook.',
    ],
    secret: 'le Signing secret que Linear affiche avec le webhook',
  },
  netlify: {
    about: 'Déploiements lancés, réussis ou échoués, et formulaires envoyés par les visiteurs.',
    steps: [
      'Dans le projet, ouvrez Project configuration → Notifications → Emails and webhooks.',
      'Cliquez sur Add notification → HTTP POST request.',
      'Choisissez l’événement, saisissez l’adresse dans URL to notify, puis enregistrez.',
    ],
    secret: 'le champ JWS secret token de la notification',
  },
  pagerduty: {
    about: 'Incidents : qui s’en charge, ce qui est fait et comment ils se terminent.',
    steps: [
      'Ouvrez Integrations → Generic Webhooks (v3) → New Webhook.',
      'Saisissez l’adresse dans Webhook URL, et choisissez sa portée.',
      'Choisissez les événements, puis cliquez sur Add Webhook.',
    ],
    secret: 'le secret que PagerDuty affiche une seule fois, à l’ajout du webhook',
  },
  sentry: {
    about: 'Issues, erreurs, commentaires, et alertes sur les issues et les métriques.',
    steps: [
      'Ouvrez Settings → Custom Integrations → Create New Integration → Internal Integration.',
      'Saisissez l’adresse dans Webhook URL, activez Alert Rule Action, accordez Read sur Issue & Event, choisissez les webhooks, puis enregistrez.',
      'Pour les alertes, choisissez l’intégration comme action dans Alert Rules.',
    ],
    secret: 'le Client Secret que Sentry affiche avec l’intégration',
  },
  slack_incoming: {
    about: 'Messages, blocs et pièces jointes de programmes capables d’envoyer des notifications à Slack.',
    steps: [
      'Dans le programme, choisissez Slack comme mode de notification.',
      'Saisissez l’adresse dans Webhook URL. Si seules les adresses de Slack sont acceptées, choisissez ici ce format d’adresse.',
      'Choisissez les notifications à envoyer, puis enregistrez.',
    ],
  },
  stripe: {
    about: 'Paiements, clients, abonnements, factures, versements et litiges.',
    steps: [
      'Ouvrez Workbench → Webhooks → Create new destination.',
      'Choisissez les événements, et Webhook endpoint comme type.',
      'Saisissez l’adresse dans Endpoint URL, puis cliquez sur Create destination.',
    ],
    secret: 'le Signing secret (`whsec_…`) que Stripe affiche avec la destination',
  },
  template: {
    about: 'N’importe quel JSON de n’importe quel service, mis en message par un modèle que vous écrivez.',
    steps: [
      'Copiez un envoi du service dans l’exemple de données ci-dessous.',
      'Écrivez les modèles du sujet et du message, regardez l’aperçu, puis enregistrez-les.',
      'Saisissez l’adresse comme URL du webhook dans le service.',
    ],
    secret:
      'le secret de signature d’un service qui signe selon Standard Webhooks ou avec `X-Hub-Signature-256`',
  },
  uptimerobot: {
    about: 'Moniteurs en panne ou rétablis, et certificats qui expirent.',
    steps: [
      'Ouvrez Integrations & API → Webhook → Add, et saisissez l’adresse, suivie de `&`, dans URL to notify.',
      'Envoyez en JSON : `{"monitorFriendlyName": "*monitorFriendlyName*", "monitorURL": "*monitorURL*", "alertTypeFriendlyName": "*alertTypeFriendlyName*", "alertDetails": "*alertDetails*", "alertDateTime": "*alertDateTime*"}`',
      'Choisissez l’intégration dans les moniteurs.',
    ],
  },
}
