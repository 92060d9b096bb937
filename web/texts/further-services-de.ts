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

/** German texts about further services. */
export const furtherServicesDe: ServiceGuides = {
  asana: {
    about: 'Änderungen von Aufgaben eines Projekts, als Kennungen und Links.',
    steps: [
      'Mach den Webhook mit Asanas API, `POST https://app.asana.com/api/1.0/webhooks`: Auf seinen Seiten gibt es dafür kein Formular.',
      'Gib die Kennung des Projekts als `resource` an, und die Adresse als `target`.',
      'Asana schickt dann sein Geheimnis, das der Bot dir in einer Direktnachricht nennt.',
    ],
    secret: 'das Geheimnis, das Asana einmal schickt, und der Bot dir nennt',
  },
  aws_sns: {
    about: 'Benachrichtigungen eines Topics, und Alarme von CloudWatch.',
    steps: [
      'Wähle im Topic „Create subscription“, mit HTTPS als Protokoll.',
      'Gib die Adresse als „Endpoint“ ein, ohne „Raw message delivery“, und erstelle es.',
      'Öffne den Link in der Nachricht, die dann kommt: Er bestätigt das Abonnement.',
    ],
  },
  azuredevops: {
    about: 'Pushes, Pull Requests, Builds, Releases und Work Items.',
    steps: [
      'Öffne im Projekt „Project settings → Service hooks → Create subscription → Web Hooks“.',
      'Wähle das Ereignis und seine Filter.',
      'Gib die Adresse als URL ein, und drücke „Finish“.',
    ],
    secret: 'das Feld „Basic authentication password“ des Abonnements',
  },
  bitbucket3: {
    about: 'Pushes, Pull Requests und Kommentare in Bitbucket Data Center und Server.',
    steps: [
      'Öffne im Repository „Repository settings → Webhooks → Create webhook“.',
      'Gib einen Namen ein, und die Adresse als URL.',
      'Wähle die Ereignisse, und drücke „Create“.',
    ],
    secret: 'das Feld „Secret“ des Webhooks',
  },
  clickup: {
    about: 'Änderungen von Aufgaben, als Kennungen und Links, und Aufgaben, die Automationen melden.',
    steps: [
      'Füge für eine Liste eine Automation mit der Aktion „Call webhook“ hinzu, mit der Adresse als URL.',
      'Mach für einen ganzen Workspace einen Webhook mit ClickUps API, `POST https://api.clickup.com/api/v2/team/TEAM/webhook`, mit der Adresse als `endpoint`.',
      'Wähle die Ereignisse.',
    ],
    secret: 'das `secret` in der Antwort von ClickUps API',
  },
  datadog: {
    about: 'Monitore, die alarmieren und sich erholen, und Ereignisse.',
    steps: [
      'Öffne „Integrations → Webhooks → New“, und gib die Adresse als URL ein.',
      `Gib als „Payload“ ein: ${DATADOG}`,
      'Schreib `@webhook-NAME`, mit dem Namen des Webhooks, in die Nachricht eines Monitors.',
    ],
    secret: `„Custom Headers“ des Webhooks: ${BEARER_JSON}`,
  },
  freshdesk: {
    about: 'Tickets, die eröffnet, geändert oder beantwortet werden.',
    steps: [
      'Öffne „Admin → Workflows → Automations“, und mach eine Regel für neue Tickets oder Änderungen.',
      'Wähle als Aktion „Trigger webhook“, mit POST, der Adresse als URL, und JSON als Format.',
      'Wähle den einfachen Inhalt mit den Feldern des Tickets, und speichere.',
    ],
    secret: 'das Passwort der Aktion, nach „Requires authentication“',
  },
  google_calendar: {
    about:
      'Termine eines Kalenders, die ein Skript schickt, und Googles eigene Meldungen, dass sich etwas geändert hat.',
    steps: [
      'Mach auf script.google.com ein Skript mit dem Dienst „Calendar“, und einen Auslöser der Art „Aus Kalender“.',
      `Lass es jeden geänderten Termin schicken: ${APPS_SCRIPT}`,
      'Oder mach mit `events.watch` von Googles API einen Kanal, mit der Adresse als `address`.',
    ],
    secret: 'das `token` des Kanals, oder ein Header `X-Goog-Channel-Token` des Skripts',
  },
  heroku: {
    about: 'Releases, Builds und andere Änderungen von Apps.',
    steps: [
      'Öffne in der App „More → View webhooks → Create Webhook“.',
      'Gib einen Namen ein, und die Adresse als „Payload URL“.',
      'Wähle die Ereignisse, und drücke „Add Webhook“.',
    ],
    secret: 'das Feld „Secret“ des Webhooks',
  },
  homeassistant: {
    about: 'Was immer eine Automation meldet.',
    steps: [
      `Füge in \`configuration.yaml\` unter \`notify:\` hinzu: ${NOTIFIER}, und die Adresse als \`resource\`.`,
      `Wähle darunter mit \`data:\` und ${TOPIC_YAML} das Thema.`,
      'Starte Home Assistant neu, und nutze die Aktion `notify.chat` in einer Automation.',
    ],
    secret: `\`headers:\` des Eintrags mit ${BEARER_YAML}`,
  },
  hubspot: {
    about: 'Änderungen von Kontakten, Unternehmen, Deals und Tickets.',
    steps: [
      'Öffne in einer privaten App „Webhooks“, und gib die Adresse als „Target URL“ ein.',
      'Drücke „Create subscription“, und wähle Objekte und Ereignisse.',
      'Aktiviere die Abonnements, und speichere die App.',
    ],
    secret: 'das „Client secret“ der App, unter „Auth“',
  },
  ifttt: {
    about: 'Was immer ein Applet meldet.',
    steps: [
      'Mach ein Applet mit einem beliebigen Auslöser, und „Webhooks → Make a web request“ als Aktion.',
      'Gib die Adresse als URL ein, mit POST und application/json.',
      `Gib als „Body“ ein: ${TOPIC_CONTENT}`,
    ],
  },
  intercom: {
    about: 'Unterhaltungen, Kontakte und Tickets.',
    steps: [
      'Mach im „Developer Hub“ eine App, und öffne „Configure → Webhooks“.',
      'Gib die Adresse als „endpoint URL“ ein.',
      'Wähle die „topics“, und speichere.',
    ],
    secret: 'das „Client secret“ der App, unter „Basic information“',
  },
  jenkins: {
    about: 'Builds, die beginnen und enden.',
    steps: [
      'Installiere das Plugin „Notification“.',
      'Drücke in einem Job unter „Job Notifications“ auf „Add Endpoint“, mit JSON als Format und HTTP als Protokoll.',
      'Gib die Adresse als URL ein, wähle „All Events“, und speichere.',
    ],
  },
  nagios: {
    about: 'Probleme von Hosts und Diensten und ihr Ende, auch von Icinga und Naemon.',
    steps: [
      `Definiere einen Befehl für Dienste: ${NAGIOS}`,
      'Definiere einen weiteren für Hosts, mit `HOSTSTATE` und `HOSTOUTPUT` statt denen des Dienstes.',
      'Nenne sie in einem Kontakt als `service_notification_commands` und `host_notification_commands`.',
    ],
  },
  newrelic: {
    about: 'Issues, die eröffnet, bestätigt und geschlossen werden.',
    steps: [
      'Öffne „Alerts → Destinations → Webhook“, und gib die Adresse als „Endpoint URL“ ein.',
      'Füge in einem Workflow den Kanal „Webhook“ mit diesem Ziel hinzu.',
      'Behalte den vorgegebenen Inhalt, und aktiviere den Workflow.',
    ],
    secret: '„Authentication“ des Ziels: das Passwort, oder das „bearer token“',
  },
  notion: {
    about:
      'Änderungen von Seiten, Datenbanken und Kommentaren, als Links, und Seiten, die Automationen melden.',
    steps: [
      'Füge in einer Datenbank eine Automation mit der Aktion „Send webhook“ hinzu, mit der Adresse als URL.',
      'Oder öffne auf notion.so/my-integrations „Webhooks“ einer Integration, und mach ein Abonnement mit der Adresse.',
      'Notion schickt dann ein Token, das der Bot dir in einer Direktnachricht nennt; gib es dort ein.',
    ],
    secret: 'das Token, das der Bot dir genannt hat',
  },
  opsgenie: {
    about: 'Alarme, und was gegen sie getan wird.',
    steps: [
      'Öffne „Settings → Integrations → Add integration → Webhook“.',
      'Gib die Adresse als „Webhook URL“ ein, und schalte „Add alert description“ und „Add alert details“ ein.',
      'Wähle die Aktionen, und schalte die Integration ein.',
    ],
    secret: `ein eigener Header der Integration: ${BEARER_YAML}`,
  },
  pingdom: {
    about: 'Checks, die ausfallen und wiederkommen.',
    steps: [
      'Öffne „Integrations → Add integration → Webhook“.',
      'Gib einen Namen ein, und die Adresse als URL.',
      'Wähle die Integration in den Checks.',
    ],
  },
  redmine: {
    about: 'Tickets, die eröffnet, geändert und gelöscht werden.',
    steps: [
      'Öffne mit Redmines eigenen Webhooks „Mein Konto → Webhooks → Neuer Webhook“.',
      'Öffne mit dem Plugin redmine_webhook „Konfiguration → WebHook“ des Projekts.',
      'Gib die Adresse als URL ein, und speichere.',
    ],
    secret: 'das Feld „Secret“ von Redmines eigenen Webhooks',
  },
  rss: {
    about: 'Neue Einträge von Feeds, über einen Dienst, der sie als JSON schickt.',
    steps: [
      'Füge den Feed bei einem Dienst wie RSS.app oder Superfeedr hinzu.',
      'Gib die Adresse als seinen Webhook ein, mit JSON als Format.',
      'Oder lass ein eigenes Skript einen JSON Feed mit den neuen Einträgen schicken.',
    ],
    secret: 'das Geheimnis eines Dienstes, der mit `X-Hub-Signature-256` signiert',
  },
  sonarqube: {
    about: 'Quality Gates von Projekten.',
    steps: [
      'Öffne „Project Settings → Webhooks“, oder „Administration → Configuration → Webhooks“ für alle Projekte.',
      'Drücke „Create“, und gib einen Namen ein, und die Adresse als URL.',
      'Speichere; die nächste Analyse wird gemeldet.',
    ],
    secret: 'das Feld „Secret“ des Webhooks',
  },
  splunk: {
    about: 'Alarme, jeweils mit dem ersten Ergebnis.',
    steps: [
      'Speichere eine Suche als Alarm, oder bearbeite einen.',
      'Füge unter „Trigger Actions“ „Webhook“ hinzu, und gib die Adresse als URL ein.',
      'Speichere den Alarm.',
    ],
  },
  statuspage: {
    about: 'Vorfälle, Wartungen und Komponenten einer Statusseite.',
    steps: [
      'Drücke auf der Statusseite „Subscribe to updates“, und wähle den Webhook.',
      'Gib die Adresse ein, und deine Mailadresse.',
      'Drücke „Subscribe“.',
    ],
  },
  teamcity: {
    about: 'Builds, die beginnen und enden.',
    steps: [
      'Setze in den Parametern des Root-Projekts `teamcity.internal.webhooks.enable` auf `true`, und `teamcity.internal.webhooks.url` auf die Adresse.',
      'Setze in einem Projekt `teamcity.internal.webhooks.events` auf `BUILD_STARTED;BUILD_FINISHED;BUILD_INTERRUPTED`.',
      'Oder installiere das Plugin tcWebHooks, und füge die Adresse unter „WebHooks“ eines Projekts hinzu, mit JSON als Format.',
    ],
    secret:
      '`teamcity.internal.webhooks.password`, neben einem beliebigen `teamcity.internal.webhooks.username`',
  },
  travis: {
    about: 'Builds von Branches und Pull Requests.',
    steps: [
      'Füge in `.travis.yml` unter `notifications:` `webhooks:` hinzu.',
      'Schreib darunter die Adresse, mit `travis encrypt` verschlüsselt, wenn das Repository öffentlich ist.',
      'Committe die Datei.',
    ],
  },
  trello: {
    about: 'Karten, Listen und Personen eines Boards.',
    steps: [
      'Mach auf trello.com/power-ups/admin einen API-Schlüssel und ein Token.',
      'Schick an `https://api.trello.com/1/webhooks`: `key`, `token`, die Kennung des Boards als `idModel`, und die Adresse als `callbackURL`.',
      'Trello fragt die Adresse ab, und antwortet mit dem Webhook.',
    ],
    secret: 'das „Secret“ neben dem API-Schlüssel',
  },
  zabbix: {
    about: 'Probleme, die beginnen und enden.',
    steps: [
      `Öffne „Alerts → Media types → Create media type“, mit „Webhook“ als Art, und als Parametern: ${ZABBIX_PARAMETERS}`,
      `Gib als Skript ein: ${ZABBIX_SCRIPT}`,
      'Gib den Medientyp einem Benutzer, und mach eine Aktion, die ihn benachrichtigt.',
    ],
  },
  zapier: {
    about: 'Was immer ein Zap meldet.',
    steps: [
      'Mach einen Zap mit einem beliebigen Auslöser, und „Webhooks by Zapier → POST“ als Aktion.',
      'Gib die Adresse als URL ein, und JSON als „Payload Type“.',
      'Gib als „Data“ `topic` ein, und `content`, das Markdown ist.',
    ],
    secret: `„Headers“ der Aktion: ${BEARER_YAML}`,
  },
  zendesk: {
    about: 'Tickets, die eröffnet, geändert oder beantwortet werden.',
    steps: [
      'Öffne „Admin Center → Apps and integrations → Webhooks → Create webhook“, und wähle „Trigger or automation“.',
      'Gib die Adresse als „Endpoint URL“ ein, mit POST und JSON.',
      `Füge in einem Auslöser die Aktion „Notify active webhook“ hinzu, mit dem Inhalt: ${ZENDESK}`,
    ],
    secret: 'das „Signing secret“, das Zendesk beim Webhook zeigt',
  },
}
