import type { BotsTexts } from './bots-en.ts'
import { counter } from './plural.ts'
import { servicesEs } from './services-es.ts'

const counted = counter('es')

/** Spanish texts of bots. */
export const botsEs: BotsTexts = {
  nothing: 'Aún no hay bots.',
  create: 'Nuevo bot',
  type: 'Tipo',
  integrations: 'Las integraciones de GitHub, GitLab, Grafana, Sentry y muchas más son webhooks entrantes.',
  types: {
    1: 'Genérico: lee y envía mensajes',
    2: 'Webhook entrante: publica mensajes de un servicio',
    3: 'Webhook saliente: llama a tu URL',
  },
  short: 'Nombre de usuario',
  owner: 'Propietario',
  giveAway: (name) => `¿Transferir ${name}?`,
  giveAwayButton: 'Transferir',
  giveAwayHint: 'El nuevo propietario lo gestiona. No podrás recuperarlo por tu cuenta.',
  takeOver: (name) => `¿Hacerse cargo de ${name}?`,
  takeOverButton: 'Hacerse cargo',
  takeOverHint:
    'El bot abandona todos los canales que no puedes leer y pierde su clave, su dirección y todo lo que había guardado. Se avisa a su propietario.',
  channels: {
    default_sending_stream: 'Canal predeterminado de sus mensajes',
    default_events_register_stream: 'Canal del que recibe eventos',
  },
  url: 'URL de destino',
  showKey: 'Mostrar clave',
  showAddress: 'Mostrar dirección',
  deactivateQuestion: (name) => `¿Desactivar ${name}?`,
  deactivateHint: 'Su clave de API deja de funcionar. Sus mensajes se quedan.',
  signature: 'Firma',
  signed:
    'Las solicitudes se firman (Standard Webhooks). El secreto no se puede volver a mostrar, solo reemplazar.',
  secretHint:
    'Las solicitudes se firman con este secreto (Standard Webhooks). Cópialo ahora: no se volverá a mostrar.',
  newSecret: 'Nuevo secreto',
  newSecretQuestion: '¿Crear un secreto nuevo?',
  newSecretHint:
    'Durante un día, las solicitudes se firman con ambos secretos, para que tengas tiempo de actualizar tu destino.',
  events: 'Suscripciones a eventos',
  eventsHint: 'Solo lo que el bot puede ver. En los canales privados, debe ser miembro.',
  inChannels: (count) => counted(count, { one: 'Solo en # canal.', other: 'Solo en # canales.' }),
  deliveries: 'Entregas recientes',
  noDeliveries: 'Aún no hay entregas.',
  noAnswer: 'sin respuesta',
  triggers: {
    direct_message: 'Mensaje directo',
    mention: 'Mención',
    message: 'Mensaje en un canal',
    reaction: 'Reacción',
    subscription: 'Alguien se une a un canal',
    new_person: 'Persona nueva',
  },
  attempt: (number) => `intento ${number}`,
  took: (ms) => `${ms} ms`,
  answer: 'Respuesta',
  sendAgain: 'Volver a enviar',
  reload: 'Actualizar',
  connect: 'Conectar un servicio',
  service: 'Servicio',
  otherService: 'Otro (plantilla personalizada)',
  serviceEvents: 'Eventos',
  eventFilters: {
    all: 'Todos los eventos',
    only: 'Solo los eventos seleccionados',
    except: 'Todos excepto los seleccionados',
  },
  postsTo: 'Publica en',
  toMe: 'Un mensaje directo para mí',
  toDefault: 'El canal predeterminado del bot, o yo',
  topic: 'Tema',
  ownTopic: 'Lo elige la integración',
  options: {
    branches: 'Solo estas ramas: nombres o patrones, separados por comas',
    desc: 'Etiqueta o anotación que describe una alerta, en lugar de alertname',
    ignore_private_repositories: 'Omitir repositorios privados',
    name: 'Etiqueta o anotación con el tema de una alerta, en lugar de instance',
    use_merge_request_title:
      'Mostrar el título de las merge requests en el tema (sí, de forma predeterminada)',
  },
  switches: { '': 'Predeterminado', true: 'Sí', false: 'No' },
  address: 'URL del webhook',
  addressHint: (service) =>
    `Escríbela en ${service || 'el servicio'}, con JSON como tipo de contenido. Cualquiera que tenga esta URL puede publicar.`,
  services: servicesEs,
  stepsTitle: (service) => `En ${service || 'el servicio'}`,
  looksLikeOther: 'Formato de la URL',
  addressForms: { own: 'Estándar', other: (service) => `Compatible con ${service}` },
  sendTest: 'Enviar prueba',
  testOutcomes: {
    sent: 'Mensaje de prueba enviado.',
    nothing: 'La prueba llegó, pero tu filtro de eventos la omite.',
    refused: 'La prueba fue rechazada:',
  },
  incoming: {
    title: 'Publicaciones recientes',
    nothing: 'Aún no hay publicaciones.',
    outcomes: { sent: 'Enviado', nothing: 'Omitido', refused: 'Rechazado' },
  },
  signs: (service, where) => `${service}: ${where}.`,
  signsNothing: (service) => `${service} no firma sus envíos. Si defines un secreto, se rechazarán todos.`,
  whichChannels: 'Canales',
  allChannels: 'Todos los canales que puede ver',
  someChannels: 'Solo los canales seleccionados',
  secret: 'Secreto',
  incomingSecretHint: 'Escribe el mismo secreto en el servicio. Los envíos sin firma válida se rechazan.',
  secrets: (count) =>
    count === 0
      ? 'Sin secreto. Las firmas no se comprueban.'
      : count === 1
        ? 'Hay un secreto definido.'
        : 'Funcionan dos secretos: el actual y el anterior.',
  setSecret: 'Definir secreto',
  replaceSecret: 'Reemplazar secreto',
  keepSecret: 'Seguir aceptando el secreto anterior',
  removeSecret: 'Quitar secreto',
  removeSecretQuestion: '¿Quitar el secreto?',
  removeSecretHint: 'Las firmas ya no se comprobarán: cualquiera que tenga la URL podrá publicar.',
  mentions: 'Menciones',
  allowsMentions: 'Permitir que las menciones notifiquen',
  allowsMentionsHint:
    'Cualquiera que pueda escribir en el servicio podrá enviar notificaciones a las personas de aquí.',
  template: {
    title: 'Plantilla',
    hint: 'Convierte cualquier JSON en un mensaje. Sin plantilla del mensaje, se publica el propio JSON.',
    topic: 'Plantilla del tema',
    text: 'Plantilla del mensaje',
    sample: 'Datos de ejemplo (JSON)',
    preview: 'Vista previa',
    noJson: 'Escribe un objeto o una lista JSON.',
    save: 'Guardar plantilla',
    syntax: [
      [
        '{{host.name}}',
        'un valor de los datos; los elementos de una lista cuentan desde 0: {{files.0.name}}',
      ],
      ['{{finished_at | time}}', 'una hora en la zona horaria de cada lector'],
      ['{{files | list: name}}', 'una línea por elemento'],
      ['{{owner | default: "nobody"}}', 'texto para un valor vacío'],
      ['| raw, | quote, | code', 'un valor como Markdown, cita o código'],
    ],
  },
}
