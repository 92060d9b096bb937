import {
  APPS_SCRIPT,
  BEARER_JSON,
  BEARER_YAML,
  DATADOG,
  NAGIOS,
  NOTIFIER,
  TOPIC_CONTENT,
  TOPIC_YAML,
  ZABBIX_PARAMETERS,
  ZABBIX_SCRIPT,
  ZENDESK,
} from './service-codes.ts'
import type { ServiceGuides } from './service-guide.ts'

/** French texts about further services. */
export const furtherServicesFr: ServiceGuides = {
  asana: {
    about: 'Changements des tâches d’un projet, sous forme d’identifiants et de liens.',
    steps: [
      'Créez le webhook avec l’API d’Asana, `POST https://app.asana.com/api/1.0/webhooks` : ses pages n’ont pas de formulaire pour cela.',
      'Indiquez l’identifiant du projet dans `resource`, et l’adresse dans `target`.',
      'Asana envoie alors son secret, que le bot vous indique en message direct.',
    ],
    secret: 'le secret qu’Asana envoie une fois, et que le bot vous indique',
  },
  aws_sns: {
    about: 'Notifications d’un sujet SNS, et alarmes de CloudWatch.',
    steps: [
      'Dans le sujet SNS, choisissez Create subscription, avec HTTPS comme protocole.',
      'Saisissez l’adresse dans Endpoint, sans raw message delivery, puis créez l’abonnement.',
      'Ouvrez le lien du message qui arrive : il confirme l’abonnement.',
    ],
  },
  azuredevops: {
    about: 'Pushs, pull requests, builds, versions et éléments de travail.',
    steps: [
      'Dans le projet, ouvrez Project settings → Service hooks → Create subscription → Web Hooks.',
      'Choisissez l’événement et ses filtres.',
      'Saisissez l’adresse dans URL, puis cliquez sur Finish.',
    ],
    secret: 'le champ Basic authentication password de l’abonnement',
  },
  bitbucket3: {
    about: 'Pushs, pull requests et commentaires dans Bitbucket Data Center et Server.',
    steps: [
      'Dans le dépôt, ouvrez Repository settings → Webhooks → Create webhook.',
      'Saisissez un nom, et l’adresse dans URL.',
      'Choisissez les événements, puis cliquez sur Create.',
    ],
    secret: 'le champ Secret du webhook',
  },
  clickup: {
    about:
      'Changements des tâches, sous forme d’identifiants et de liens, et tâches signalées par des automatisations.',
    steps: [
      'Pour une liste, ajoutez une automatisation avec l’action Call webhook, et l’adresse comme URL.',
      'Pour tout un espace, créez un webhook avec l’API de ClickUp, `POST https://api.clickup.com/api/v2/team/TEAM/webhook`, avec l’adresse dans `endpoint`.',
      'Choisissez les événements.',
    ],
    secret: 'le `secret` de la réponse de l’API de ClickUp',
  },
  datadog: {
    about: 'Moniteurs en alerte ou rétablis, et événements.',
    steps: [
      'Ouvrez Integrations → Webhooks → New, et saisissez l’adresse dans URL.',
      `Dans Payload, saisissez : ${DATADOG}`,
      'Écrivez `@webhook-NAME`, avec le nom du webhook, dans le message d’un moniteur.',
    ],
    secret: `les Custom Headers du webhook : ${BEARER_JSON}`,
  },
  freshdesk: {
    about: 'Tickets ouverts, modifiés ou traités.',
    steps: [
      'Ouvrez Admin → Workflows → Automations, et créez une règle pour les nouveaux tickets ou les mises à jour.',
      'Comme action, choisissez Trigger webhook, avec POST, l’adresse comme URL, et JSON comme format.',
      'Choisissez le contenu simple avec les champs du ticket, puis enregistrez.',
    ],
    secret: 'le mot de passe de l’action, après Requires authentication',
  },
  google_calendar: {
    about: 'Événements d’un agenda qu’un script envoie, et avis de Google qu’une chose a changé.',
    steps: [
      'Sur script.google.com, créez un script avec le service Calendar, et un déclencheur lié à l’agenda.',
      `Faites-lui envoyer chaque événement modifié : ${APPS_SCRIPT}`,
      'Ou créez un canal avec `events.watch` de l’API de Google, avec l’adresse dans `address`.',
    ],
    secret: 'le `token` du canal, ou un en-tête `X-Goog-Channel-Token` du script',
  },
  heroku: {
    about: 'Versions, builds et autres changements d’applications.',
    steps: [
      'Dans l’application, ouvrez More → View webhooks → Create Webhook.',
      'Saisissez un nom, et l’adresse dans Payload URL.',
      'Choisissez les événements, puis cliquez sur Add Webhook.',
    ],
    secret: 'le champ Secret du webhook',
  },
  homeassistant: {
    about: 'Tout ce qu’une automatisation signale.',
    steps: [
      `Dans \`configuration.yaml\`, ajoutez sous \`notify:\` : ${NOTIFIER}, et l’adresse dans \`resource\`.`,
      `En dessous, choisissez le sujet avec \`data:\` et ${TOPIC_YAML}.`,
      'Redémarrez Home Assistant, et utilisez l’action `notify.chat` dans une automatisation.',
    ],
    secret: `les \`headers:\` de l’entrée, avec ${BEARER_YAML}`,
  },
  hubspot: {
    about: 'Changements des contacts, entreprises, transactions et tickets.',
    steps: [
      'Dans une application privée, ouvrez Webhooks, et saisissez l’adresse dans Target URL.',
      'Cliquez sur Create subscription, et choisissez les objets et les événements.',
      'Activez les abonnements, puis enregistrez l’application.',
    ],
    secret: 'le Client secret de l’application, sous Auth',
  },
  ifttt: {
    about: 'Tout ce qu’un applet signale.',
    steps: [
      'Créez un applet avec le déclencheur de votre choix, et Webhooks → Make a web request comme action.',
      'Saisissez l’adresse dans URL, avec POST et application/json.',
      `Dans Body, saisissez : ${TOPIC_CONTENT}`,
    ],
  },
  intercom: {
    about: 'Conversations, contacts et tickets.',
    steps: [
      'Dans le Developer Hub, créez une application, et ouvrez Configure → Webhooks.',
      'Saisissez l’adresse comme endpoint URL.',
      'Choisissez les topics, puis enregistrez.',
    ],
    secret: 'le Client secret de l’application, sous Basic information',
  },
  jenkins: {
    about: 'Builds qui commencent et se terminent.',
    steps: [
      'Installez le plugin Notification.',
      'Dans un job, sous Job Notifications, cliquez sur Add Endpoint, avec JSON comme format et HTTP comme protocole.',
      'Saisissez l’adresse dans URL, choisissez All Events, puis enregistrez.',
    ],
  },
  nagios: {
    about: 'Problèmes et rétablissements d’hôtes et de services, aussi d’Icinga et de Naemon.',
    steps: [
      `Définissez une commande pour les services : ${NAGIOS}`,
      'Définissez-en une autre pour les hôtes, avec `HOSTSTATE` et `HOSTOUTPUT` à la place de ceux du service.',
      'Nommez-les dans un contact, comme `service_notification_commands` et `host_notification_commands`.',
    ],
  },
  newrelic: {
    about: 'Problèmes ouverts, pris en compte et clos.',
    steps: [
      'Ouvrez Alerts → Destinations → Webhook, et saisissez l’adresse dans Endpoint URL.',
      'Dans un workflow, ajoutez le canal Webhook avec cette destination.',
      'Gardez le contenu par défaut, et activez le workflow.',
    ],
    secret: 'Authentication de la destination : le mot de passe, ou le bearer token',
  },
  notion: {
    about:
      'Changements de pages, de bases et de commentaires, sous forme de liens, et pages signalées par des automatisations.',
    steps: [
      'Dans une base, ajoutez une automatisation avec l’action Send webhook, et l’adresse comme URL.',
      'Ou ouvrez les Webhooks d’une intégration sur notion.so/my-integrations, et créez un abonnement avec l’adresse.',
      'Notion envoie alors un jeton, que le bot vous indique en message direct ; saisissez-le là-bas.',
    ],
    secret: 'le jeton que le bot vous a indiqué',
  },
  opsgenie: {
    about: 'Alertes, et ce qui en est fait.',
    steps: [
      'Ouvrez Settings → Integrations → Add integration → Webhook.',
      'Saisissez l’adresse dans Webhook URL, et activez Add alert description et Add alert details.',
      'Choisissez les actions, et activez l’intégration.',
    ],
    secret: `un en-tête de l’intégration : ${BEARER_YAML}`,
  },
  pingdom: {
    about: 'Contrôles en panne ou rétablis.',
    steps: [
      'Ouvrez Integrations → Add integration → Webhook.',
      'Saisissez un nom, et l’adresse dans URL.',
      'Choisissez l’intégration dans les contrôles.',
    ],
  },
  redmine: {
    about: 'Demandes ouvertes, modifiées et supprimées.',
    steps: [
      'Avec les webhooks de Redmine, ouvrez Mon compte → Webhooks → Nouveau webhook.',
      'Avec le plugin redmine_webhook, ouvrez Configuration → WebHook du projet.',
      'Saisissez l’adresse dans URL, puis enregistrez.',
    ],
    secret: 'le champ Secret des webhooks de Redmine',
  },
  rss: {
    about: 'Nouvelles entrées de flux, par un service qui les envoie en JSON.',
    steps: [
      'Ajoutez le flux dans un service comme RSS.app ou Superfeedr.',
      'Saisissez l’adresse comme webhook, avec JSON comme format.',
      'Ou faites envoyer par un script un JSON Feed avec les nouvelles entrées.',
    ],
    secret: 'le secret d’un service qui signe avec `X-Hub-Signature-256`',
  },
  sonarqube: {
    about: 'Quality gates de projets.',
    steps: [
      'Ouvrez Project Settings → Webhooks, ou Administration → Configuration → Webhooks pour tous les projets.',
      'Cliquez sur Create, et saisissez un nom, et l’adresse dans URL.',
      'Enregistrez : la prochaine analyse sera signalée.',
    ],
    secret: 'le champ Secret du webhook',
  },
  splunk: {
    about: 'Alertes, chacune avec son premier résultat.',
    steps: [
      'Enregistrez une recherche comme alerte, ou modifiez-en une.',
      'Sous Trigger Actions, ajoutez Webhook, et saisissez l’adresse dans URL.',
      'Enregistrez l’alerte.',
    ],
  },
  statuspage: {
    about: 'Incidents, maintenances et composants d’une page de statut.',
    steps: [
      'Sur la page de statut, cliquez sur Subscribe to updates, et choisissez le webhook.',
      'Saisissez l’adresse, et votre adresse électronique.',
      'Cliquez sur Subscribe.',
    ],
  },
  teamcity: {
    about: 'Builds qui commencent et se terminent.',
    steps: [
      'Dans les paramètres du projet racine, mettez `teamcity.internal.webhooks.enable` à `true`, et `teamcity.internal.webhooks.url` à l’adresse.',
      'Dans un projet, mettez `teamcity.internal.webhooks.events` à `BUILD_STARTED;BUILD_FINISHED;BUILD_INTERRUPTED`.',
      'Ou installez le plugin tcWebHooks, et ajoutez l’adresse sous WebHooks d’un projet, avec JSON comme format.',
    ],
    secret: '`teamcity.internal.webhooks.password`, avec un `teamcity.internal.webhooks.username` quelconque',
  },
  travis: {
    about: 'Builds de branches et de pull requests.',
    steps: [
      'Dans `.travis.yml`, ajoutez `webhooks:` sous `notifications:`.',
      'En dessous, écrivez l’adresse, chiffrée par `travis encrypt` si le dépôt est public.',
      'Validez le fichier.',
    ],
  },
  trello: {
    about: 'Cartes, listes et personnes d’un tableau.',
    steps: [
      'Créez une clé d’API et un jeton sur trello.com/power-ups/admin.',
      'Envoyez à `https://api.trello.com/1/webhooks` : `key`, `token`, l’identifiant du tableau dans `idModel`, et l’adresse dans `callbackURL`.',
      'Trello interroge l’adresse, puis répond avec le webhook.',
    ],
    secret: 'le Secret à côté de la clé d’API',
  },
  zabbix: {
    about: 'Problèmes qui commencent et se terminent.',
    steps: [
      `Ouvrez Alerts → Media types → Create media type, avec Webhook comme type, et comme paramètres : ${ZABBIX_PARAMETERS}`,
      `Comme script, saisissez : ${ZABBIX_SCRIPT}`,
      'Donnez ce type de média à un utilisateur, et créez une action qui le notifie.',
    ],
  },
  zapier: {
    about: 'Tout ce qu’un Zap signale.',
    steps: [
      'Créez un Zap avec le déclencheur de votre choix, et Webhooks by Zapier → POST comme action.',
      'Saisissez l’adresse dans URL, et JSON dans Payload Type.',
      'Dans Data, saisissez `topic`, et `content`, qui est en Markdown.',
    ],
    secret: `les Headers de l’action : ${BEARER_YAML}`,
  },
  zendesk: {
    about: 'Tickets ouverts, modifiés ou traités.',
    steps: [
      'Ouvrez Admin Center → Apps and integrations → Webhooks → Create webhook, et choisissez Trigger or automation.',
      'Saisissez l’adresse dans Endpoint URL, avec POST et JSON.',
      `Dans un déclencheur, ajoutez l’action Notify active webhook, avec le contenu : ${ZENDESK}`,
    ],
    secret: 'le Signing secret que Zendesk affiche avec le webhook',
  },
}
