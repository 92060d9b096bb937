import { html } from '../../../core/written-languages.ts'
import type { DoorTexts } from './english.ts'

export const SPANISH: DoorTexts = {
  language: 'es',
  email: 'Correo electrónico',
  password: 'Contraseña',
  newPassword: 'Contraseña (al menos seis caracteres)',
  yourName: 'Tu nombre',
  sendLink: 'Enviar el enlace',
  toLogIn: 'Ir al inicio de sesión',
  tooMany: (wait) => `Demasiados intentos. Vuelve a intentarlo dentro de ${wait}.`,
  refusals: {
    'Your username or password is incorrect':
      'Ese correo y esa contraseña no corresponden a ninguna cuenta. Revisa ambos e inténtalo de nuevo, o restablece tu contraseña.',
    'Enter a valid email address.':
      'Introduce una dirección de correo válida, por ejemplo nombre@example.com.',
    'Password authentication is disabled in this organization':
      'El inicio de sesión con contraseña está desactivado en esta organización. Inicia sesión de otra forma o consulta a un administrador.',
    'Account is deactivated':
      'Tu cuenta está desactivada. Pide a un administrador de esta organización que la reactive.',
    'This organization has been deactivated':
      'Esta organización se ha desactivado. Pide a uno de sus propietarios que la reactive.',
    'This organization is open.': 'Esta organización está activa: inicia sesión.',
    'That code is wrong, or was used already. Enter the newest one.':
      'El código no es correcto o ya se ha usado. Introduce el más reciente.',
    'That took too long, or was tried too often. Log in again.':
      'Ha pasado demasiado tiempo o se ha intentado demasiadas veces. Vuelve a iniciar sesión.',
    'That took too long, or was already done. Try again.':
      'Ha pasado demasiado tiempo o ya se ha hecho. Inténtalo de nuevo.',
    'This passkey does not fit. Try again, or use another way.':
      'Esta llave de acceso no sirve. Inténtalo de nuevo o inicia sesión de otra forma.',
    'Your passkey has not checked that it is you. Log in with your password, and use it as the second step.':
      'Tu llave de acceso no ha comprobado que eres tú. Inicia sesión con tu contraseña y usa la llave de acceso como segundo paso.',
    'This link opens the account of an owner, and none has this address.':
      'Este enlace es para la cuenta de un propietario, y ningún propietario tiene esta dirección. El administrador del servidor puede crear otro.',
    'This invitation is not valid any more.':
      'Esta invitación ha caducado o se ha revocado. Pide otra a quien te invitó.',
    'This link is not valid any more.': 'Este enlace ha caducado o ya se ha usado. Pide uno nuevo.',
    'Email is already in use.': 'Ya hay una cuenta con esta dirección. Inicia sesión con ella.',
    'Email addresses containing + are not allowed.':
      'En esta organización no se admiten direcciones con un +. Introduce la tuya sin esa parte.',
    'Disposable email addresses are not allowed in this organization':
      'En esta organización no se admiten direcciones desechables. Introduce otra.',
    'Email not allowed in this organization':
      'Esta organización no admite direcciones de este dominio. Introduce otra o consulta a un administrador.',
    'Email address changes are disabled in this organization.':
      'En esta organización no puedes cambiar tu dirección. Consulta a un administrador.',
    'This address needs to be confirmed by mail first.':
      'Primero hay que confirmar esta dirección. Abre el enlace del correo que hemos enviado a esa dirección.',
    'This organization admits addresses of certain domains, and this server can send no mail to confirm one.':
      'Esta organización solo admite direcciones de ciertos dominios, y este servidor no puede enviar correo para confirmar una. Pide a un administrador que invite tu dirección.',
    'The password is too weak.': 'La contraseña es demasiado débil. Elige una más larga.',
    'Bad name or username': 'Introduce una dirección de correo válida, por ejemplo nombre@example.com.',
    'Enter a name of 1 to 40 characters': 'Introduce un nombre de 1 a 40 caracteres.',
    'Enter a name of 2 to 100 characters': 'Introduce un nombre de 2 a 100 caracteres.',
    'Enter a valid e-mail address':
      'Introduce una dirección de correo válida, por ejemplo nombre@example.com.',
    'Invalid characters in name!': 'El nombre contiene caracteres no permitidos. Elige otro.',
    'Invalid format!': 'Un nombre no puede terminar en | y un número. Elige otro.',
    'Name too short!': 'El nombre es demasiado corto. Introduce al menos dos caracteres.',
    'Name too long!': 'El nombre es demasiado largo. Introduce como máximo 100 caracteres.',
    'Unique names required in this organization.':
      'Alguien ya tiene este nombre aquí. Añádele algo, por ejemplo tu segundo apellido.',
    'The storage of this organization is full. Only reading and deleting are possible.':
      'El almacenamiento de esta organización está lleno. Pide a un administrador que libere espacio.',
    'The server cannot answer just now. Please try again in a moment.':
      'El servidor no puede responder ahora. Inténtalo de nuevo en un momento.',
    'This request comes from a page of another site.':
      'Según tu navegador, esta solicitud viene de otro sitio. Vuelve a abrir la página e inténtalo otra vez.',
    'BigBlueButton is not configured on this server.':
      'BigBlueButton no está configurado en este servidor. Consulta al administrador del servidor.',
    'Invalid signature.':
      'Este enlace no corresponde a ninguna llamada de esta organización. Abre la llamada otra vez desde su mensaje.',
    'Error connecting to the BigBlueButton server.':
      'El servidor de BigBlueButton no responde. Inténtalo de nuevo en un momento.',
    'Error authenticating to the BigBlueButton server.':
      'El servidor de BigBlueButton ha rechazado el secreto de este servidor. Consulta al administrador del servidor.',
    'BigBlueButton server returned an unexpected error.':
      'El servidor de BigBlueButton ha informado de un error. Inténtalo de nuevo o consulta al administrador del servidor.',
    'Zoom is not configured on this server.':
      'Zoom no está configurado en este servidor. Consulta al administrador del servidor.',
    'Invalid Zoom session identifier':
      'Este inicio de sesión en Zoom empezó en otro navegador o en otra cuenta, o hace demasiado tiempo. Pulsa otra vez el botón de llamada.',
    'Invalid subdomain':
      'No hay ninguna organización en esta dirección. Comprueba la dirección o pregunta a quien te la envió.',
    'There is no such organization here.':
      'Esa organización no está en este servidor, así que no puede mostrar tus mensajes sin leer. Vuelve a la página de la que vienes.',
    'Zoom access was declined.':
      'Zoom dice que no has permitido el acceso. Pulsa otra vez el botón de llamada para permitirlo.',
    'Invalid Zoom credentials':
      'Zoom ha rechazado este inicio de sesión. Pulsa otra vez el botón de llamada. Si eso no funciona, consulta al administrador del servidor.',
    'Failed to create Zoom call':
      'Zoom no responde. Pulsa otra vez el botón de llamada dentro de un momento.',
  },
  logIn: {
    title: 'Iniciar sesión',
    button: 'Iniciar sesión',
    with: (name) => `Iniciar sesión con ${name}`,
    forgotten: '¿Olvidaste tu contraseña?',
    readPublic: 'Leer sin cuenta',
    incomplete: 'Este enlace no está completo. Empieza de nuevo desde la aplicación.',
  },
  secondFactor: {
    title: 'Verificación en dos pasos',
    code: 'Código de tu aplicación de autenticación, o un código de recuperación',
    passkey: 'Usar una llave de acceso',
    passkeyFailed: 'No ha funcionado. Inténtalo de nuevo o inicia sesión de otra forma.',
    again: 'Volver a iniciar sesión',
    setUpTitle: 'Configurar la verificación en dos pasos',
    setUpAbout:
      'Tu organización exige un segundo paso al iniciar sesión: un código de una aplicación en tu teléfono.',
    scan: 'Escanea esto con una aplicación de autenticación:',
    orType: 'O escribe en ella esta clave:',
    firstCode: 'Código que muestra la aplicación',
    setUpButton: 'Activar e iniciar sesión',
    codesTitle: 'Tus códigos de recuperación',
    codesAbout:
      'Guarda estos códigos en un lugar seguro. Si pierdes el teléfono, cada uno te permite iniciar sesión una vez. No se volverán a mostrar.',
    onward: 'Los he guardado',
  },
  desktop: {
    title: 'Iniciar sesión en la aplicación de escritorio',
    elsewhere: 'Inicia sesión en tu navegador y luego vuelve a la aplicación.',
    open: 'Abrir el navegador',
    paste: 'Código que muestra tu navegador',
    unreadable: 'Este no es el código que muestra tu navegador, o el navegador se abrió desde otra ventana.',
    copyIt: 'Copia este código y vuelve a la aplicación de escritorio. Nadie más puede leerlo.',
    token: 'Para la aplicación de escritorio',
    copy: 'Copiar',
    copied: 'Copiado. Vuelve a la aplicación de escritorio.',
    used: 'Este enlace ha caducado o ya se ha usado. Empieza de nuevo desde la aplicación.',
  },
  ownerLink: {
    about: (email) => `Este enlace inicia tu sesión como ${email}, una sola vez.`,
    used: 'Este enlace ha caducado o ya se ha usado. El administrador del servidor puede crear otro.',
  },
  provider: {
    again: 'Ir a la página de inicio de sesión',
    troubles: {
      unknown: () => 'Esta forma de iniciar sesión no está disponible aquí. Vuelve atrás y elige otra.',
      expired: () => 'Este inicio de sesión ha caducado o se empezó en otro navegador. Empieza de nuevo.',
      declined: (name) =>
        `${name} no te ha dejado entrar. Empieza de nuevo o elige otra forma de iniciar sesión.`,
      unreachable: (name) =>
        `${name} no responde. Inténtalo de nuevo en unos minutos o elige otra forma de iniciar sesión.`,
      invalid: (name) =>
        `No se puede aceptar la respuesta de ${name}. Consulta a un administrador de esta organización: el registro de auditoría dice por qué.`,
      no_address: (name) =>
        `${name} no ha compartido tu dirección de correo. Añade una allí o permite que se comparta, y empieza de nuevo.`,
      unverified_address: (name) =>
        `${name} no ha verificado tu dirección de correo. Verifícala allí y empieza de nuevo.`,
      no_account: (name, email) =>
        `Aquí no hay ninguna cuenta para ${email}. Pide una invitación a un administrador o elige otra cuenta en ${name}.`,
      address_not_allowed: (name, email) =>
        `Esta organización no admite ${email}. Consulta a un administrador o elige otra cuenta en ${name}.`,
      other_identity: (name) =>
        `Esta cuenta ya está vinculada a otra en ${name}. Usa esa o consulta a un administrador.`,
      unconfirmed_account: (_name, email) =>
        `Hay una cuenta para ${email}, pero la dirección no se ha confirmado. Inicia sesión con la contraseña y confírmala, o consulta a un administrador.`,
      not_connected: (name, email) =>
        `Hay una cuenta para ${email}, pero aún no está conectada con ${name}. Inicia sesión una vez como hasta ahora, o abre el enlace que se envió a la dirección de la cuenta.`,
      no_name: (name) =>
        `El nombre que ${name} tiene de ti no se puede usar aquí. Cámbialo allí y empieza de nuevo.`,
      account_deactivated: () =>
        'Tu cuenta está desactivada. Pide a un administrador de esta organización que la reactive.',
      organization_deactivated: () =>
        'Esta organización se ha desactivado. Pide a uno de sus propietarios que la reactive.',
      other_person: (name) =>
        `Tu cuenta en ${name} no corresponde a la cuenta con la que has iniciado sesión aquí. Elige allí la otra y empieza de nuevo.`,
    },
  },
  connection: {
    title: 'Conectar tu cuenta',
    question: (email, organization, name) =>
      `A partir de ahora, la cuenta ${email} de ${organization} se podrá abrir con ${name ?? 'los tokens de otro sistema de la organización'}.`,
    button: 'Permitir',
    done: (name) =>
      name === null
        ? 'El otro sistema ya puede iniciar sesión en tu cuenta.'
        : `Ya puedes iniciar sesión con ${name}.`,
  },
  access: {
    absent: 'Cloudflare Access no está configurado aquí. Inicia sesión de otra forma.',
    notThrough:
      'Cloudflare Access no te ha dejado pasar a este servidor. Vuelve a abrir esta página. Si eso no funciona, consulta al administrador del servidor si Access lo protege.',
    nobody:
      'Cloudflare Access ha dejado pasar a un servicio, y no a una persona con una dirección de correo.',
    noAccount: (email) =>
      `Aquí no hay ninguna cuenta para ${email}. Pide a alguien de la organización que te invite.`,
    unreachable: 'Cloudflare Access no responde. Inténtalo de nuevo en un momento.',
  },
  call: { title: 'Llamada' },
  zoom: {
    title: 'Zoom',
    done: 'Has iniciado sesión en Zoom. Puedes cerrar esta ventana: tu llamada se está creando en la otra.',
  },
  unread: {
    title: 'Mensajes sin leer',
    ask: (here, page) =>
      `¿Mostrar en la página ${page} cuántos mensajes sin leer tienes en ${here}? No se comparte nada más. Termina cuando cierres la sesión aquí.`,
    allow: 'Mostrar el número',
    back: 'Volver sin mostrarlo',
  },
  missing: {
    title: 'Página no encontrada',
    about: 'No hay nada en esta dirección. Compruébala o empieza desde el principio.',
  },
  mail: {
    title: 'Correo',
    broken: 'Este enlace no es válido o no está completo. Ábrelo otra vez desde el correo.',
  },
  help: {
    title: 'Ayuda',
    elsewhere: (host) => `La ayuda de los clientes compatibles con Zulip está en otro sitio, ${host}:`,
  },
  logOut: { title: 'Cerrar sesión' },
  reset: {
    title: 'Restablecer tu contraseña',
    question: 'Introduce tu correo electrónico. Te enviaremos un enlace para elegir una contraseña nueva.',
    sent: (email) => `Si hay una cuenta para ${email}, recibirás un correo con un enlace.`,
    account: (email, organization) => html`Para la cuenta ${email} en <strong>${organization}</strong>.`,
    button: 'Establecer la contraseña',
    done: (email, organization) =>
      html`Se ha cambiado tu contraseña para ${email} en <strong>${organization}</strong>. Úsala para iniciar sesión aquí y en tus aplicaciones.`,
  },
  newAddress: {
    title: 'Confirma tu nuevo correo electrónico',
    before: (name, organization, email) =>
      html`La cuenta de ${name} en <strong>${organization}</strong> usa ${email}. Su nueva dirección será:`,
    button: 'Confirmar',
    done: (email) =>
      `Tu correo electrónico es ahora ${email}. Úsalo para iniciar sesión. Las aplicaciones que conocen el antiguo te pedirán que vuelvas a iniciar sesión.`,
  },
  ownAddress: {
    title: 'Confirma tu correo electrónico',
    question: (name, organization) =>
      html`¿Es esta la dirección de la cuenta de ${name} en <strong>${organization}</strong>?`,
    button: 'Confirmar',
    done: (email) => `La dirección ${email} está confirmada.`,
  },
  join: {
    title: 'Unirse',
    invited: (referrer, organization) =>
      html`${referrer} te ha invitado a unirte a <strong>${organization}</strong>.`,
    question: 'Introduce tu correo electrónico. Te enviaremos un enlace para crear tu cuenta.',
    sent: (email) => `Hemos enviado un correo a ${email}. Abre el enlace que contiene para crear tu cuenta.`,
    with: (name) => `Unirse con ${name}`,
    button: 'Unirse',
    welcome: (organization) => html`Te damos la bienvenida a <strong>${organization}</strong>.`,
    how: 'Inicia sesión aquí o en tu aplicación, con la dirección de este servidor y tu correo electrónico.',
  },
  setUp: {
    title: 'Crea tu organización',
    about: 'Serás su propietario y podrás invitar a todos los demás.',
    organization: 'Nombre de la organización',
    location: 'Ubicación del equipo',
    locationHint: 'Dónde se guardan sus datos. No se puede cambiar más adelante.',
    locations: {
      '': 'Cerca de mí',
      wnam: 'América del Norte, oeste',
      enam: 'América del Norte, este',
      sam: 'América del Sur',
      weur: 'Europa, oeste',
      eeur: 'Europa, este',
      apac: 'Asia y Pacífico',
      oc: 'Oceanía',
      afr: 'África',
      me: 'Oriente Medio',
    },
    kept: (jurisdiction) => `Sus datos se guardan en la jurisdicción ${jurisdiction}.`,
    button: 'Crear la organización',
    used: 'Este enlace ha caducado o ya se ha usado. El administrador del servidor obtiene otro al iniciar o desplegar de nuevo el servidor.',
  },
  reactivation: {
    title: 'Reactivar esta organización',
    question:
      'Si esta organización se desactivó, sus propietarios pueden reactivarla hasta que se eliminen sus datos. Introduce tu correo electrónico. Te enviaremos un enlace.',
    sent: (email) =>
      `Si ${email} es la dirección de un propietario de esta organización, recibirás un correo con un enlace.`,
    isClosed: (organization) =>
      html`<strong>${organization}</strong> está desactivada. Cuando se reactive, todos los que tienen una cuenta podrán volver a iniciar sesión. No se ha eliminado nada.`,
    button: 'Reactivar',
    done: (organization) => html`<strong>${organization}</strong> vuelve a estar activa.`,
  },
  deactivated: {
    title: 'Esta organización se ha desactivado',
    about: 'Nadie puede iniciar sesión hasta que uno de sus propietarios la reactive.',
  },
}
