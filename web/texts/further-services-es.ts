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

/** Spanish texts about further services. */
export const furtherServicesEs: ServiceGuides = {
  asana: {
    about: 'Cambios de las tareas de un proyecto, como identificadores y enlaces.',
    steps: [
      'Crea el webhook con la API de Asana, `POST https://app.asana.com/api/1.0/webhooks`: sus páginas no tienen un formulario para ello.',
      'Indica el identificador del proyecto en `resource`, y la dirección en `target`.',
      'Asana envía entonces su secreto, que el bot te dice en un mensaje directo.',
    ],
    secret: 'el secreto que Asana envía una vez, y que el bot te dice',
  },
  aws_sns: {
    about: 'Notificaciones de un tema de SNS, y alarmas de CloudWatch.',
    steps: [
      'En el tema de SNS, elige Create subscription, con HTTPS como protocolo.',
      'Escribe la dirección en Endpoint, sin raw message delivery, y créala.',
      'Abre el enlace del mensaje que llega: confirma la suscripción.',
    ],
  },
  azuredevops: {
    about: 'Pushes, pull requests, compilaciones, versiones y elementos de trabajo.',
    steps: [
      'En el proyecto, abre Project settings → Service hooks → Create subscription → Web Hooks.',
      'Elige el evento y sus filtros.',
      'Escribe la dirección en URL, y pulsa Finish.',
    ],
    secret: 'el campo Basic authentication password de la suscripción',
  },
  bitbucket3: {
    about: 'Pushes, pull requests y comentarios en Bitbucket Data Center y Server.',
    steps: [
      'En el repositorio, abre Repository settings → Webhooks → Create webhook.',
      'Escribe un nombre, y la dirección en URL.',
      'Elige los eventos, y pulsa Create.',
    ],
    secret: 'el campo Secret del webhook',
  },
  clickup: {
    about:
      'Cambios de las tareas, como identificadores y enlaces, y tareas que comunican las automatizaciones.',
    steps: [
      'Para una lista, añade una automatización con la acción Call webhook, y la dirección como URL.',
      'Para todo un espacio, crea un webhook con la API de ClickUp, `POST https://api.clickup.com/api/v2/team/TEAM/webhook`, con la dirección en `endpoint`.',
      'Elige los eventos.',
    ],
    secret: 'el `secret` de la respuesta de la API de ClickUp',
  },
  datadog: {
    about: 'Monitores que alertan y se recuperan, y eventos.',
    steps: [
      'Abre Integrations → Webhooks → New, y escribe la dirección en URL.',
      `En Payload escribe: ${DATADOG}`,
      'Escribe `@webhook-NAME`, con el nombre del webhook, en el mensaje de un monitor.',
    ],
    secret: `los Custom Headers del webhook: ${BEARER_JSON}`,
  },
  freshdesk: {
    about: 'Tickets que se abren, cambian o se responden.',
    steps: [
      'Abre Admin → Workflows → Automations, y crea una regla para tickets nuevos o para cambios.',
      'Como acción elige Trigger webhook, con POST, la dirección como URL, y JSON como formato.',
      'Elige el contenido simple con los campos del ticket, y guarda.',
    ],
    secret: 'la contraseña de la acción, tras Requires authentication',
  },
  google_calendar: {
    about: 'Eventos de un calendario que envía un script, y los avisos de Google de que algo ha cambiado.',
    steps: [
      'En script.google.com, crea un script con el servicio Calendar, y un activador del calendario.',
      `Haz que envíe cada evento cambiado: ${APPS_SCRIPT}`,
      'O crea un canal con `events.watch` de la API de Google, con la dirección en `address`.',
    ],
    secret: 'el `token` del canal, o una cabecera `X-Goog-Channel-Token` del script',
  },
  heroku: {
    about: 'Versiones, compilaciones y otros cambios de aplicaciones.',
    steps: [
      'En la aplicación, abre More → View webhooks → Create Webhook.',
      'Escribe un nombre, y la dirección en Payload URL.',
      'Elige los eventos, y pulsa Add Webhook.',
    ],
    secret: 'el campo Secret del webhook',
  },
  homeassistant: {
    about: 'Lo que comunique una automatización.',
    steps: [
      `En \`configuration.yaml\`, añade bajo \`notify:\`: ${NOTIFIER}, y la dirección en \`resource\`.`,
      `Debajo, elige el tema con \`data:\` y ${TOPIC_YAML}.`,
      'Reinicia Home Assistant, y usa la acción `notify.chat` en una automatización.',
    ],
    secret: `los \`headers:\` de la entrada, con ${BEARER_YAML}`,
  },
  hubspot: {
    about: 'Cambios de contactos, empresas, negocios y tickets.',
    steps: [
      'En una aplicación privada, abre Webhooks, y escribe la dirección en Target URL.',
      'Pulsa Create subscription, y elige los objetos y los eventos.',
      'Activa las suscripciones, y guarda la aplicación.',
    ],
    secret: 'el Client secret de la aplicación, en Auth',
  },
  ifttt: {
    about: 'Lo que comunique un applet.',
    steps: [
      'Crea un applet con cualquier activador, y Webhooks → Make a web request como acción.',
      'Escribe la dirección en URL, con POST y application/json.',
      `En Body escribe: ${TOPIC_CONTENT}`,
    ],
  },
  intercom: {
    about: 'Conversaciones, contactos y tickets.',
    steps: [
      'En el Developer Hub, crea una aplicación, y abre Configure → Webhooks.',
      'Escribe la dirección como endpoint URL.',
      'Elige los topics, y guarda.',
    ],
    secret: 'el Client secret de la aplicación, en Basic information',
  },
  jenkins: {
    about: 'Compilaciones que empiezan y terminan.',
    steps: [
      'Instala el plugin Notification.',
      'En un trabajo, en Job Notifications, pulsa Add Endpoint, con JSON como formato y HTTP como protocolo.',
      'Escribe la dirección en URL, elige All Events, y guarda.',
    ],
  },
  nagios: {
    about: 'Problemas y recuperaciones de equipos y servicios, también de Icinga y Naemon.',
    steps: [
      `Define una orden para los servicios: ${NAGIOS}`,
      'Define otra para los equipos, con `HOSTSTATE` y `HOSTOUTPUT` en lugar de los del servicio.',
      'Nómbralas en un contacto, como `service_notification_commands` y `host_notification_commands`.',
    ],
  },
  newrelic: {
    about: 'Incidencias que se abren, se reconocen y se cierran.',
    steps: [
      'Abre Alerts → Destinations → Webhook, y escribe la dirección en Endpoint URL.',
      'En un workflow, añade el canal Webhook con ese destino.',
      'Conserva el contenido predeterminado, y activa el workflow.',
    ],
    secret: 'Authentication del destino: la contraseña, o el bearer token',
  },
  notion: {
    about:
      'Cambios de páginas, bases y comentarios, como enlaces, y páginas que comunican las automatizaciones.',
    steps: [
      'En una base, añade una automatización con la acción Send webhook, y la dirección como URL.',
      'O abre los Webhooks de una integración en notion.so/my-integrations, y crea una suscripción con la dirección.',
      'Notion envía entonces un token, que el bot te dice en un mensaje directo; escríbelo allí.',
    ],
    secret: 'el token que el bot te ha dicho',
  },
  opsgenie: {
    about: 'Alertas, y lo que se hace con ellas.',
    steps: [
      'Abre Settings → Integrations → Add integration → Webhook.',
      'Escribe la dirección en Webhook URL, y activa Add alert description y Add alert details.',
      'Elige las acciones, y activa la integración.',
    ],
    secret: `una cabecera de la integración: ${BEARER_YAML}`,
  },
  pingdom: {
    about: 'Comprobaciones que fallan y se recuperan.',
    steps: [
      'Abre Integrations → Add integration → Webhook.',
      'Escribe un nombre, y la dirección en URL.',
      'Elige la integración en las comprobaciones.',
    ],
  },
  redmine: {
    about: 'Peticiones que se abren, cambian y se borran.',
    steps: [
      'Con los webhooks de Redmine, abre Mi cuenta → Webhooks → Nuevo webhook.',
      'Con el plugin redmine_webhook, abre Configuración → WebHook del proyecto.',
      'Escribe la dirección en URL, y guarda.',
    ],
    secret: 'el campo Secret de los webhooks de Redmine',
  },
  rss: {
    about: 'Entradas nuevas de canales, por un servicio que las envía como JSON.',
    steps: [
      'Añade el canal en un servicio como RSS.app o Superfeedr.',
      'Escribe la dirección como webhook, con JSON como formato.',
      'O haz que un script tuyo envíe un JSON Feed con las entradas nuevas.',
    ],
    secret: 'el secreto de un servicio que firma con `X-Hub-Signature-256`',
  },
  sonarqube: {
    about: 'Quality gates de proyectos.',
    steps: [
      'Abre Project Settings → Webhooks, o Administration → Configuration → Webhooks para todos los proyectos.',
      'Pulsa Create, y escribe un nombre, y la dirección en URL.',
      'Guarda; se comunicará el próximo análisis.',
    ],
    secret: 'el campo Secret del webhook',
  },
  splunk: {
    about: 'Alertas, cada una con su primer resultado.',
    steps: [
      'Guarda una búsqueda como alerta, o edita una.',
      'En Trigger Actions, añade Webhook, y escribe la dirección en URL.',
      'Guarda la alerta.',
    ],
  },
  statuspage: {
    about: 'Incidentes, mantenimientos y componentes de una página de estado.',
    steps: [
      'En la página de estado, pulsa Subscribe to updates, y elige el webhook.',
      'Escribe la dirección, y tu correo.',
      'Pulsa Subscribe.',
    ],
  },
  teamcity: {
    about: 'Compilaciones que empiezan y terminan.',
    steps: [
      'En los parámetros del proyecto raíz, pon `teamcity.internal.webhooks.enable` a `true`, y `teamcity.internal.webhooks.url` a la dirección.',
      'En un proyecto, pon `teamcity.internal.webhooks.events` a `BUILD_STARTED;BUILD_FINISHED;BUILD_INTERRUPTED`.',
      'O instala el plugin tcWebHooks, y añade la dirección en WebHooks de un proyecto, con JSON como formato.',
    ],
    secret: '`teamcity.internal.webhooks.password`, junto a cualquier `teamcity.internal.webhooks.username`',
  },
  travis: {
    about: 'Compilaciones de ramas y pull requests.',
    steps: [
      'En `.travis.yml`, añade `webhooks:` bajo `notifications:`.',
      'Debajo, escribe la dirección, cifrada con `travis encrypt` si el repositorio es público.',
      'Haz commit del archivo.',
    ],
  },
  trello: {
    about: 'Tarjetas, listas y personas de un tablero.',
    steps: [
      'Crea una clave de API y un token en trello.com/power-ups/admin.',
      'Envía a `https://api.trello.com/1/webhooks`: `key`, `token`, el identificador del tablero en `idModel`, y la dirección en `callbackURL`.',
      'Trello consulta la dirección, y responde con el webhook.',
    ],
    secret: 'el Secret junto a la clave de API',
  },
  zabbix: {
    about: 'Problemas que empiezan y terminan.',
    steps: [
      `Abre Alerts → Media types → Create media type, con Webhook como tipo, y como parámetros: ${ZABBIX_PARAMETERS}`,
      `Como script escribe: ${ZABBIX_SCRIPT}`,
      'Da el tipo de medio a un usuario, y crea una acción que le avise.',
    ],
  },
  zapier: {
    about: 'Lo que comunique un Zap.',
    steps: [
      'Crea un Zap con cualquier activador, y Webhooks by Zapier → POST como acción.',
      'Escribe la dirección en URL, y JSON en Payload Type.',
      'En Data escribe `topic`, y `content`, que es Markdown.',
    ],
    secret: `los Headers de la acción: ${BEARER_YAML}`,
  },
  zendesk: {
    about: 'Tickets que se abren, cambian o se responden.',
    steps: [
      'Abre Admin Center → Apps and integrations → Webhooks → Create webhook, y elige Trigger or automation.',
      'Escribe la dirección en Endpoint URL, con POST y JSON.',
      `En un activador, añade la acción Notify active webhook, con el contenido: ${ZENDESK}`,
    ],
    secret: 'el Signing secret que Zendesk muestra con el webhook',
  },
}
