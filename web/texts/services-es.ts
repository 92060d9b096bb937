import { furtherServicesEs } from './further-services-es.ts'
import type { ServiceGuides } from './service-guide.ts'

/** Spanish texts about services. Names on the services’ own pages are left in English. */
export const servicesEs: ServiceGuides = {
  ...furtherServicesEs,
  alertmanager: {
    about: 'Alertas de Prometheus, al empezar y al terminar, agrupadas por su etiqueta.',
    steps: [
      'En `alertmanager.yml`, añade un receiver con `webhook_configs` y la dirección como `url`.',
      'Indica ese receiver en `route`.',
      'Vuelve a cargar Alertmanager.',
    ],
  },
  bitbucket2: {
    about: 'Pushes, pull requests, incidencias, comentarios y estados de commits en Bitbucket Cloud.',
    steps: [
      'En el repositorio, abre Repository settings → Webhooks → Add webhook.',
      'Escribe un título, y la dirección en URL.',
      'Elige los activadores y guarda.',
    ],
    secret: 'el campo Secret del webhook',
  },
  circleci: {
    about: 'Workflows y jobs terminados.',
    steps: [
      'En el proyecto, abre Project Settings → Webhooks → Add Webhook.',
      'Escribe un nombre, y la dirección en Receiver URL.',
      'Elige los eventos y guarda.',
    ],
    secret: 'el campo Secret token del webhook',
  },
  cloudflare: {
    about: 'Notificaciones de todo tipo: comprobaciones de estado, certificados, ataques, builds de Workers.',
    steps: [
      'En la cuenta, abre Notifications → Destinations → Webhooks → Create.',
      'Escribe un nombre, y la dirección en URL.',
      'Añade una notificación y elige el webhook como destino.',
    ],
    secret: 'el campo Secret del webhook',
  },
  discord_incoming: {
    about: 'Mensajes y embeds de programas que pueden notificar a Discord.',
    steps: [
      'En el programa, elige Discord como forma de notificar.',
      'Escribe la dirección en Webhook URL. Si solo se aceptan direcciones de Discord, elige aquí ese formato de dirección.',
      'Elige de qué debe notificar el programa y guarda.',
    ],
  },
  forgejo: {
    about: 'Pushes, ramas, pull requests, incidencias, comentarios y versiones.',
    steps: [
      'En el repositorio, abre Settings → Webhooks → Add webhook → Forgejo.',
      'Escribe la dirección en Target URL, con POST y application/json.',
      'Elige los eventos y pulsa Add webhook.',
    ],
    secret: 'el campo Secret del webhook',
  },
  gitea: {
    about: 'Pushes, ramas, pull requests, incidencias, comentarios y versiones.',
    steps: [
      'En el repositorio, abre Settings → Webhooks → Add webhook → Gitea.',
      'Escribe la dirección en Target URL, con POST y application/json.',
      'Elige los eventos y pulsa Add webhook.',
    ],
    secret: 'el campo Secret del webhook',
  },
  github: {
    about:
      'Todo lo que pasa en un repositorio o una organización: código, revisiones, incidencias, comprobaciones, alertas.',
    steps: [
      'En el repositorio o la organización, abre Settings → Webhooks → Add webhook.',
      'Escribe la dirección en Payload URL y elige application/json.',
      'Elige los eventos y pulsa Add webhook.',
    ],
    secret: 'el campo Secret del webhook',
  },
  gitlab: {
    about:
      'Pushes, merge requests, incidencias, comentarios, pipelines, versiones y más de un proyecto o un grupo.',
    steps: [
      'En el proyecto o el grupo, abre Settings → Webhooks → Add new webhook.',
      'Escribe la dirección en URL.',
      'Elige los activadores y pulsa Add webhook.',
    ],
    secret: 'el campo Secret token del webhook',
  },
  gogs: {
    about: 'Pushes, ramas, pull requests, incidencias, comentarios y versiones.',
    steps: [
      'En el repositorio, abre Settings → Webhooks → Add a new webhook → Gogs.',
      'Escribe la dirección en Payload URL y elige application/json.',
      'Elige los eventos y pulsa Add Webhook.',
    ],
    secret: 'el campo Secret del webhook',
  },
  grafana: {
    about: 'Alertas, al empezar y al terminar, con sus etiquetas y valores. También se admite Grafana 7.',
    steps: [
      'Abre Alerting → Contact points (desde Grafana 13, dentro de Notification configuration), pulsa Add contact point y elige Webhook como integración.',
      'Escribe la dirección en URL, pulsa Test y guarda.',
      'Elige el contact point en una notification policy.',
    ],
    secret:
      'HMAC signature → Secret del contact point, con `X-Grafana-Alerting-Timestamp` como cabecera de la marca de tiempo',
  },
  jira: {
    about: 'Incidencias, comentarios, sprints y versiones.',
    steps: [
      'Como administrador, abre Settings → System → WebHooks → Create a WebHook.',
      'Escribe un nombre, y la dirección en URL.',
      'Elige los eventos y pulsa Create.',
    ],
    secret: 'el campo Secret del webhook',
  },
  json: {
    about: 'Cualquier JSON, tal cual. Útil para ver primero qué envía un programa.',
    steps: [
      'En el programa, escribe la dirección como URL del webhook, con el método POST.',
      'Como tipo de contenido, elige `application/json`; como cuerpo, un objeto o una lista.',
      'Haz que envíe una vez y mira el mensaje.',
    ],
  },
  linear: {
    about: 'Incidencias, comentarios, proyectos y sus novedades, ciclos.',
    steps: [
      'Abre Settings → API → Webhooks → New webhook.',
      'Escribe un nombre, y la dirección en URL.',
      'Elige los equipos y los eventos de datos, y créalo.',
    ],
    secret: 'el Signing secret que Linear muestra con el webhook',
  },
  netlify: {
    about: 'Despliegues que empiezan, terminan bien o fallan, y formularios que envían los visitantes.',
    steps: [
      'En el proyecto, abre Project configuration → Notifications → Emails and webhooks.',
      'Pulsa Add notification → HTTP POST request.',
      'Elige el evento, escribe la dirección en URL to notify y guarda.',
    ],
    secret: 'el campo JWS secret token de la notificación',
  },
  pagerduty: {
    about: 'Incidentes: quién los atiende, qué se hace y cómo terminan.',
    steps: [
      'Abre Integrations → Generic Webhooks (v3) → New Webhook.',
      'Escribe la dirección en Webhook URL y elige su alcance.',
      'Elige los eventos y pulsa Add Webhook.',
    ],
    secret: 'el secreto que PagerDuty muestra una sola vez, al añadir el webhook',
  },
  sentry: {
    about: 'Issues, errores, comentarios, y alertas sobre issues y métricas.',
    steps: [
      'Abre Settings → Custom Integrations → Create New Integration → Internal Integration.',
      'Escribe la dirección en Webhook URL, activa Alert Rule Action, concede Read en Issue & Event, elige los webhooks y guarda.',
      'Para las alertas, elige la integración como acción en Alert Rules.',
    ],
    secret: 'el Client Secret que Sentry muestra con la integración',
  },
  slack_incoming: {
    about: 'Mensajes, bloques y adjuntos de programas que pueden notificar a Slack.',
    steps: [
      'En el programa, elige Slack como forma de notificar.',
      'Escribe la dirección en Webhook URL. Si solo se aceptan direcciones de Slack, elige aquí ese formato de dirección.',
      'Elige de qué debe notificar el programa y guarda.',
    ],
  },
  stripe: {
    about: 'Cobros, clientes, suscripciones, facturas, pagos, transferencias y disputas.',
    steps: [
      'Abre Workbench → Webhooks → Create new destination.',
      'Elige los eventos, y Webhook endpoint como tipo.',
      'Escribe la dirección en Endpoint URL y pulsa Create destination.',
    ],
    secret: 'el Signing secret (`whsec_…`) que Stripe muestra con el destino',
  },
  template: {
    about: 'Cualquier JSON de cualquier servicio, convertido en mensaje con una plantilla que escribes tú.',
    steps: [
      'Copia un envío del servicio en los datos de ejemplo de aquí.',
      'Escribe las plantillas del tema y del texto, mira la vista previa y guárdalas.',
      'Escribe la dirección como URL del webhook en el servicio.',
    ],
    secret: 'el secreto de un servicio que firma según Standard Webhooks o con `X-Hub-Signature-256`',
  },
  uptimerobot: {
    about: 'Monitores que caen y se recuperan, y certificados que caducan.',
    steps: [
      'Abre Integrations & API → Webhook → Add y escribe la dirección, seguida de `&`, en URL to notify.',
      'Envía como JSON: `{"monitorFriendlyName": "*monitorFriendlyName*", "monitorURL": "*monitorURL*", "alertTypeFriendlyName": "*alertTypeFriendlyName*", "alertDetails": "*alertDetails*", "alertDateTime": "*alertDateTime*"}`',
      'Elige la integración en los monitores.',
    ],
  },
}
