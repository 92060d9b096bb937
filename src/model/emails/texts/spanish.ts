import { counted, listed } from '../../../core/written-languages.ts'
import type { MailTexts } from './english.ts'

export const SPANISH: MailTexts = {
  language: 'es',
  emptyTopic: 'chat general',
  greeting: (name) => (name === undefined ? 'Hola:' : `Hola, ${name}:`),
  occasion: {
    device: (program, system) =>
      `${program ?? 'un programa desconocido'} en ${system ?? 'un sistema desconocido'}`,
    time: (time) => `Cuándo: ${time}`,
    by: (device) => `Con: ${device}`,
    from: (network) => `Desde: ${network}`,
  },
  unknownWithoutPassword: (url) =>
    `Si no fuiste tú, cierra aquí todas las sesiones, protege tu cuenta en el proveedor y ponte en contacto con un administrador:\n${url}`,
  login: {
    subject: (device) => `Nuevo inicio de sesión con ${device}`,
    happened: (address, organization, origin) =>
      `Alguien ha iniciado sesión como ${address} en ${organization} (${origin}), con un programa que no se había usado antes.`,
    wellKnown: 'Si fuiste tú, no tienes que hacer nada.',
    unknown: (url) =>
      `Si no, elige una contraseña nueva de inmediato. Así también se cierran todas las sesiones iniciadas con la antigua:\n${url}`,
    unsubscribe: 'No recibir más correos sobre nuevos inicios de sesión',
  },
  credentials: {
    password: {
      subject: (organization) => `Se ha cambiado tu contraseña de ${organization}`,
      happened: (address, organization) => `Se ha cambiado la contraseña de ${address} en ${organization}.`,
    },
    apiKey: {
      subject: (organization) => `Nueva clave de API de ${organization}`,
      happened: (address, organization) =>
        `Se ha creado una nueva clave de API para ${address} en ${organization}. Sustituye a la antigua, y se ha cerrado la sesión de los programas que la usaban.`,
    },
    factorAdded: {
      subject: (organization) => `Verificación en dos pasos de ${organization}: método nuevo`,
      happened: (address, organization) =>
        `Se ha añadido una aplicación de autenticación o una llave de acceso a la cuenta ${address} en ${organization}. A partir de ahora no basta con la contraseña para iniciar sesión.`,
    },
    factorRemoved: {
      subject: (organization) => `Verificación en dos pasos de ${organization}: método eliminado`,
      happened: (address, organization) =>
        `Se ha eliminado una aplicación de autenticación o una llave de acceso de la cuenta ${address} en ${organization}.`,
    },
    factorsReset: {
      subject: (organization) => `Se ha restablecido la verificación en dos pasos de ${organization}`,
      happened: (address, organization) =>
        `Un administrador ha eliminado la aplicación de autenticación, las llaves de acceso y los códigos de recuperación de ${address} en ${organization}. Vuelve a configurar la verificación en dos pasos en tu configuración.`,
    },
    recoveryCodes: {
      subject: (organization) => `Nuevos códigos de recuperación de ${organization}`,
      happened: (address, organization) =>
        `Se han creado nuevos códigos de recuperación para ${address} en ${organization}. Los antiguos ya no sirven.`,
    },
    loginConnected: {
      subject: (organization) => `Nueva forma de iniciar sesión en ${organization}`,
      happened: (address, organization) =>
        `La cuenta ${address} en ${organization} se ha vinculado a una cuenta de un proveedor de acceso. A partir de ahora también se puede iniciar sesión con ella.`,
    },
    tokensConnected: {
      subject: (organization) => `Nueva forma de iniciar sesión en ${organization}`,
      happened: (address, organization) =>
        `A partir de ahora, otro sistema de la organización puede abrir la cuenta ${address} de ${organization} con sus tokens.`,
    },
    unknown: (url) =>
      `Si no fuiste tú, elige una contraseña nueva de inmediato y ponte en contacto con un administrador:\n${url}`,
  },
  addressChange: {
    subject: (organization) => `Se ha cambiado tu dirección en ${organization}`,
    happened: (organization, newAddress) =>
      `La dirección de correo de tu cuenta en ${organization} es a partir de ahora ${newAddress}. Con ella inicias sesión, y allí llegan los correos.`,
    given: (organization, newAddress) =>
      `La dirección de correo de tu cuenta en ${organization} es ahora ${newAddress}. Solo abrirá tu cuenta cuando la hayas confirmado. Hasta entonces inicias sesión como antes, y los correos sobre tu cuenta llegan aquí.`,
    confirm: (url) =>
      `Si esta es ahora tu dirección, confírmala en el plazo de un día con este enlace, o inicia sesión con ella y tu contraseña:\n${url}`,
    byAdministrator: 'La ha cambiado un administrador.',
    unknown: 'Si no fuiste tú, ponte en contacto de inmediato con un administrador de la organización.',
  },
  addressCheck: {
    subject: (organization) => `Confirma tu nueva dirección en ${organization}`,
    happened: (organization, oldAddress) =>
      `Esta será la nueva dirección de correo de tu cuenta en ${organization}, que hasta ahora era ${oldAddress}.`,
    link: (url) => `Para confirmarla, abre este enlace:\n${url}`,
    validity: 'El enlace es válido durante un día. Si no lo pediste, no hagas nada: no cambiará nada.',
  },
  addressProof: {
    subject: (organization) => `Confirma tu dirección en ${organization}`,
    happened: (name, organization) =>
      `Alguien, probablemente tú, ha creado la cuenta de ${name} en ${organization} con esta dirección de correo. Hasta que se confirme, no se enviará nada más a ella.`,
    validity: 'El enlace es válido durante un día. Si la cuenta no es tuya, no hagas nada.',
  },
  signUp: {
    subject: (organization) => `Únete a ${organization}`,
    happened: (referrer, organization) =>
      `Alguien, probablemente tú, quiere unirse a ${organization} con esta dirección de correo, por un enlace de invitación de ${referrer}.`,
    link: (url) => `Para crear tu cuenta, abre este enlace:\n${url}`,
    validity:
      'El enlace es válido durante un día. Si no lo pediste, no hagas nada: no se creará ninguna cuenta.',
    hasAccount: (organization, url) => `Ya tienes una cuenta en ${organization}. Inicia sesión aquí:\n${url}`,
  },
  passwordReset: {
    subject: (organization) => `Una contraseña nueva para ${organization}`,
    happened: (organization) =>
      `Alguien, probablemente tú, quiere una contraseña nueva para tu cuenta en ${organization}.`,
    link: (url) => `Para elegirla, abre este enlace:\n${url}`,
    validity:
      'El enlace es válido durante un día. Si no lo pediste, no hagas nada: tu contraseña sigue igual.',
  },
  connection: {
    subject: (organization) => `¿Permitir una nueva forma de iniciar sesión en ${organization}?`,
    happened: (address, organization, name) =>
      `Alguien, probablemente tú, quiso iniciar sesión como ${address} en ${organization} mediante ${name ?? 'otro sistema de la organización'}. Hasta ahora has usado esta cuenta sin ello, por eso hay que permitirlo una vez.`,
    link: (url) => `Para permitirlo, abre este enlace:\n${url}`,
    validity:
      'El enlace vale un día. Si no fuiste tú, no hagas nada: nadie puede iniciar sesión así. Pero avisa a un administrador.',
  },
  ofAccounts: {
    address: {
      subject: (name, organization) => `Se cambió la dirección de ${name} en ${organization}`,
      happened: (name, before, address, by) =>
        `${by ?? 'El proveedor de identidad (SCIM)'} cambió la dirección de correo de ${name}: de ${before} a ${address}.`,
      unconfirmed: (name) =>
        `Solo abrirá la cuenta cuando ${name} la haya confirmado. Recibes este correo porque eres propietario de la organización.`,
    },
    opened: {
      subject: (name, organization) => `La cuenta de ${name} en ${organization} se abrió de una forma nueva`,
      happened: (name, address, way) =>
        `Alguien inició sesión como ${name} (${address}) mediante ${way ?? 'un token de otro sistema'}, con lo que esta cuenta no estaba conectada.`,
    },
    allowed:
      'El operador del servidor lo permite (OWNER_ACCOUNT_ACCESS). Recibes este correo porque eres propietario de la organización.',
  },
  importedAccount: {
    subject: (organization) => `Tu cuenta en ${organization}`,
    happened: (organization) =>
      `${organization} se ha mudado aquí, con todo lo que tu equipo ha escrito hasta ahora. Hay una cuenta para ti.`,
    link: (url) => `Para elegir una contraseña y entrar, abre este enlace:\n${url}`,
    validity: (url) => `El enlace es válido durante un día. Después podrás obtener otro aquí:\n${url}`,
    logIn: (url, ways) => `Para entrar${ways === '' ? '' : ` con ${ways}`}, abre esta página:\n${url}`,
    address: (address) => `Usa allí tu cuenta con la dirección de correo ${address}.`,
  },
  invitation: {
    subject: (referrer, organization) => `${referrer} te invita a unirte a ${organization}`,
    reminder: (organization) => `Recordatorio: únete a ${organization}`,
    happened: (referrer, address, organization) =>
      `${referrer} (${address}) quiere que te unas a ${organization}, donde habla el equipo.`,
    until: (time) => `El enlace es válido hasta el ${time}.`,
    forEver: 'El enlace no caduca.',
  },
  closedAccount: {
    subject: (organization) => `Se ha desactivado tu cuenta en ${organization}`,
    happened: (by, address, organization) =>
      `${by} ha desactivado tu cuenta (${address}) en ${organization}. Ya no puedes iniciar sesión.`,
    comment: (by) => `${by} escribe:`,
  },
  closedOrganization: {
    subject: (organization) => `Se ha desactivado tu organización ${organization}`,
    happened: (by, organization, origin, day) =>
      `${by} ha desactivado ${organization} (${origin}) el ${day} (UTC). Ya nadie puede iniciar sesión.`,
    kept: 'Sus datos se conservan.',
    deleted: (day) => `Todos sus datos se eliminarán definitivamente el ${day} (UTC).`,
    reopen: (url, ends) =>
      `${ends ? 'Hasta entonces, cualquiera' : 'Cualquiera'} de sus propietarios puede reactivarla: pide un enlace aquí:\n${url}`,
  },
  reopenedOrganization: {
    subject: (organization) => `Reactivar tu organización ${organization}`,
    happened: (organization) => `Alguien, probablemente tú, quiere reactivar ${organization}.`,
    link: (url) => `Para ello, abre este enlace:\n${url}`,
    validity:
      'El enlace es válido durante un día y una sola vez. Si no lo pediste, no hagas nada: la organización seguirá desactivada.',
  },
  welcome: {
    subject: (organization) => `Te damos la bienvenida a ${organization}`,
    happened: (organization, origin, address) =>
      `Ya tienes una cuenta en ${organization}. Está aquí:\n${origin}/\nInicia sesión con ${address}.`,
    begin:
      'Las conversaciones tienen lugar en canales y, dentro de cada canal, en temas: un tema es una conversación a la que siempre puedes volver. Para empezar, saluda en un tema propio o echa un vistazo a los que hay.',
    password: (url) => `Si alguna vez olvidas tu contraseña, elige otra aquí:\n${url}`,
  },
  guide: {
    subject: 'Los temas mantienen separadas las conversaciones',
    said: (organization) => [
      `Llevas unos días en ${organization}. Hay algo que lo hace más fácil que otros chats, cuando uno se acostumbra: cada mensaje de un canal tiene un tema.`,
      'Empieza un tema nuevo para cada pregunta nueva, con un nombre de pocas palabras que diga de qué se trata. Responde en el tema que ya existe. Así no se mezclan dos conversaciones y se encuentra lo que se acordó.',
      'Leyendo tema por tema ves a qué llegó una conversación y puedes dejar de lado las que no te interesan: siléncialas, y sigue las que te interesan. Cuando una pregunta tenga respuesta, marca su tema como resuelto.',
    ],
    unsubscribe: 'No recibir más consejos de uso',
  },
  pausedAddress: (address, reason) =>
    `Los correos a tu dirección \`${address}\` no se pueden entregar: su servidor dice que nunca llegarán (\`${reason}\`). Ya no se enviarán allí correos sobre mensajes que te has perdido o inicios de sesión, ni resúmenes. En tu configuración, en «Cuenta», indica otra dirección, o la misma otra vez para volver a intentarlo.`,
  missed: {
    senderName: (organization) => `${organization} (notificaciones)`,
    subject: {
      direct: (sender) => `Mensajes directos con ${sender}`,
      group: (others) => `Conversación de grupo con ${listed(others, 'y', 'más')}`,
      channel: (channel, topic, isResolved) => `${isResolved ? '[resuelto] ' : ''}#${channel} > ${topic}`,
      hidden: 'Mensajes nuevos',
    },
    before: 'Antes:',
    after: 'Nuevo:',
    hiddenSpoiler: '(Spoiler: abre el mensaje para verlo.)',
    long: '(Este mensaje es demasiado largo para un correo.)',
    more: (count) => (count === 1 ? 'Hay un mensaje más.' : `Hay ${count} mensajes más.`),
    hiddenBy: (reason, organization, count) =>
      `${count === 1 ? 'Hay un mensaje nuevo' : `Hay ${count} mensajes nuevos`} para ti en ${organization}. ${reason}`,
    why: {
      mention: ({ group }) =>
        group === null
          ? 'Recibes esto porque te han mencionado.'
          : `Recibes esto porque han mencionado a @${group} y estás en ese grupo.`,
      topic_wildcard_mention: ({ conversation }) =>
        `Recibes esto porque han mencionado a todos los que participan en ${conversation}.`,
      channel_wildcard_mention: ({ channel }) => `Recibes esto porque han mencionado a todos en #${channel}.`,
      followed_topic: ({ conversation }) =>
        `Recibes esto porque sigues ${conversation} y recibes correos sobre los temas que sigues.`,
      channel: ({ channel }) => `Recibes esto porque recibes correos sobre los mensajes de #${channel}.`,
    },
    open: 'Abrir la conversación',
    answer: 'Responde a este correo para escribir en la conversación.',
    noReply: (organization) => `Las respuestas a este correo no se leen: responde en ${organization}.`,
    settings: 'Configuración de notificaciones',
    unsubscribe: 'No recibir más estos correos',
  },
  digest: {
    senderName: (organization) => `${organization} (resumen)`,
    subject: (organization) => `Lo que te has perdido en ${organization}`,
    happened: (organization) =>
      `Esto ha pasado en ${organization} mientras no estabas, y aún no lo has leído.`,
    missed: 'Mensajes directos y menciones',
    topics: 'Temas con mucha actividad',
    channels: 'Canales nuevos',
    more: (count, isOpen, senders) =>
      `Y ${isOpen ? 'al menos ' : ''}${counted(count, 'mensaje más', 'mensajes más')}${senders.length === 0 ? '' : ` de ${listed(senders, 'y', 'más')}`}.`,
    moreConversations: (count) =>
      `Y ${counted(count, 'conversación más', 'conversaciones más')} con mensajes para ti.`,
    moreChannels: (count) => `Y ${counted(count, 'más', 'más')}.`,
    count: {
      conversations: (count) =>
        `${counted(count, 'conversación', 'conversaciones')} con mensajes directos o menciones tuyas`,
      topics: (count) => counted(count, 'tema con mucha actividad', 'temas con mucha actividad'),
      channels: (count) => counted(count, 'canal nuevo', 'canales nuevos'),
    },
    open: (organization) => `Abrir ${organization}`,
    unsubscribe: 'No recibir más resúmenes',
  },
  hiddenBy: {
    organization: 'La organización no permite mostrar mensajes en los correos.',
    reader: 'Tu configuración no permite mostrar mensajes en los correos.',
  },
  unsubscribed: {
    title: (organization) => `Correos de ${organization}`,
    ask: (organization, what) => `¿No quieres recibir más ${what} de ${organization}?`,
    button: (what) => `No recibir más ${what}`,
    done: (organization, what) =>
      `Ya no recibes ${what} de ${organization}. Puedes volver a activarlos en tu configuración.`,
    what: {
      missed_messages: 'correos sobre mensajes que te has perdido',
      login: 'correos sobre nuevos inicios de sesión',
      digest: 'resúmenes',
      marketing: 'consejos de uso',
    },
  },
}
