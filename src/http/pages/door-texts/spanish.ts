import { html } from '../../../core/written-languages.ts'
import type { DoorTexts } from './english.ts'

export const SPANISH: DoorTexts = {
  language: 'es',
  email: 'Correo electrónico',
  password: 'Contraseña',
  newPassword: 'Una contraseña de al menos seis caracteres',
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
      'En esta organización no se inicia sesión con contraseña. Inicia sesión de otra forma o pregunta a un administrador.',
    'Account is deactivated':
      'Tu cuenta está desactivada. Pide a un administrador de esta organización que la reactive.',
    'This organization has been deactivated':
      'Esta organización se ha desactivado. Pide a uno de sus propietarios que vuelva a abrirla.',
    'This organization is open.': 'Esta organización está abierta: inicia sesión.',
    'That code is wrong, or was used already. Enter the newest one.':
      'El código no es correcto o ya se ha usado. Introduce el más reciente.',
    'That took too long, or was tried too often. Log in again.':
      'Ha pasado demasiado tiempo o se ha intentado demasiadas veces. Vuelve a iniciar sesión.',
    'That took too long, or was already done. Try again.':
      'Ha pasado demasiado tiempo o ya se ha hecho. Inténtalo de nuevo.',
    'This passkey does not fit. Try again, or use another way.':
      'Esta llave de acceso no sirve. Inténtalo de nuevo o inicia sesión de otra forma.',
    'Your passkey has not checked that it is you. Log in with your password, and use it as the second step.':
      'Tu llave de acceso no ha comprobado que eres tú. Inicia sesión con tu contraseña y úsala como segundo paso.',
    'This link opens the account of an owner, and none has this address.':
      'Este enlace abre la cuenta de un propietario, y ninguno tiene esta dirección. Quien administra este servidor puede crear otro.',
    'This invitation is not valid any more.':
      'Esta invitación ha caducado o se ha retirado. Pide otra a quien te invitó.',
    'This link is not valid any more.': 'Este enlace ha caducado o ya se ha usado. Pide uno nuevo.',
    'Email is already in use.': 'Ya hay una cuenta con esta dirección. Inicia sesión con ella.',
    'Email addresses containing + are not allowed.':
      'En esta organización no se admiten direcciones con un +. Introduce la tuya sin esa parte.',
    'Disposable email addresses are not allowed in this organization':
      'En esta organización no se admiten direcciones desechables. Introduce otra.',
    'Email not allowed in this organization':
      'Esta organización no admite direcciones de este dominio. Introduce otra o pregunta a un administrador.',
    'Email address changes are disabled in this organization.':
      'En esta organización no se puede cambiar la propia dirección. Pregunta a un administrador.',
    'This address needs to be confirmed by mail first.':
      'Primero hay que confirmar esta dirección. Abre el enlace del correo que se envió a ella.',
    'This organization admits addresses of certain domains, and this server can send no mail to confirm one.':
      'Esta organización solo admite direcciones de ciertos dominios, y este servidor no puede enviar correo para confirmar una. Pide a un administrador una invitación a tu dirección.',
    'The password is too weak.': 'La contraseña es demasiado débil. Elige una más larga.',
    'Bad name or username': 'Introduce una dirección de correo válida, por ejemplo nombre@example.com.',
    'Enter a name of 1 to 40 characters': 'Introduce un nombre de 1 a 40 caracteres.',
    'Enter a name of 2 to 100 characters': 'Introduce un nombre de 2 a 100 caracteres.',
    'Enter a valid e-mail address':
      'Introduce una dirección de correo válida, por ejemplo nombre@example.com.',
    'Invalid characters in name!': 'El nombre contiene caracteres que no se admiten. Elige otro.',
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
      'Según tu navegador, esto viene de otro sitio. Vuelve a abrir la página e inténtalo otra vez.',
    'BigBlueButton is not configured on this server.':
      'BigBlueButton no está configurado en este servidor. Pregunta a quien lo administra.',
    'Invalid signature.':
      'Este enlace no lleva a ninguna llamada de esta organización. Abre la llamada otra vez desde su mensaje.',
    'Error connecting to the BigBlueButton server.':
      'El servidor de BigBlueButton no responde. Inténtalo de nuevo en un momento.',
    'Error authenticating to the BigBlueButton server.':
      'El servidor de BigBlueButton no acepta a este. Pregunta a quien administra este servidor.',
    'BigBlueButton server returned an unexpected error.':
      'El servidor de BigBlueButton informa de un error. Inténtalo de nuevo o pregunta a quien lo administra.',
    'Zoom is not configured on this server.':
      'Zoom no está configurado en este servidor. Pregunta a quien lo administra.',
    'Invalid Zoom session identifier':
      'Este inicio de sesión en Zoom empezó en otro navegador o en otra cuenta, o hace demasiado tiempo. Pulsa otra vez el botón de llamada.',
    'There is no such organization here.':
      'Esa organización no está en este servidor y no puede mostrar tus mensajes sin leer. Vuelve a la página anterior.',
    'Zoom access was declined.':
      'Zoom dice que no lo has permitido. Pulsa otra vez el botón de llamada si quieres cambiarlo.',
    'Invalid Zoom credentials':
      'Zoom rechaza este inicio de sesión. Pulsa otra vez el botón de llamada. Si no basta, pregunta a quien administra este servidor.',
    'Failed to create Zoom call':
      'Zoom no responde en este momento. Pulsa otra vez el botón de llamada dentro de un momento.',
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
    firstCode: 'El código que muestra la aplicación',
    setUpButton: 'Activar e iniciar sesión',
    codesTitle: 'Tus códigos de recuperación',
    codesAbout:
      'Guarda estos códigos en un lugar seguro. Si pierdes el teléfono, cada uno te permite iniciar sesión una vez. No se vuelven a mostrar.',
    onward: 'Los he guardado',
  },
  desktop: {
    title: 'Iniciar sesión en la aplicación de escritorio',
    elsewhere: 'Inicia sesión en tu navegador y vuelve a la aplicación.',
    open: 'Abrir el navegador',
    paste: 'Lo que muestra después tu navegador',
    unreadable:
      'Esto no es lo que muestra el navegador, o el navegador se abrió desde otra ventana. Copia el texto otra vez.',
    copyIt: 'Copia esto y vuelve a la aplicación de escritorio. Nadie más puede leerlo.',
    token: 'Para la aplicación de escritorio',
    copy: 'Copiar',
    copied: 'Copiado. Vuelve a la aplicación de escritorio.',
    used: 'Este enlace ya se ha usado o es demasiado antiguo. Empieza de nuevo desde la aplicación.',
  },
  ownerLink: {
    about: (email) => `Este enlace inicia sesión una vez como ${email}.`,
    used: 'Este enlace ya se ha usado o es demasiado antiguo. Quien administra este servidor puede crear otro.',
  },
  provider: {
    again: 'Ir a la página de inicio de sesión',
    troubles: {
      unknown: () => 'Aquí no se puede iniciar sesión así. Vuelve atrás y elige otra forma.',
      expired: () => 'Este inicio de sesión ha caducado o se empezó en otro navegador. Empieza de nuevo.',
      declined: (name) =>
        `${name} no te ha dejado entrar. Empieza de nuevo o elige otra forma de iniciar sesión.`,
      unreachable: (name) =>
        `${name} no responde. Inténtalo de nuevo en unos minutos o elige otra forma de iniciar sesión.`,
      invalid: (name) =>
        `No se puede aceptar la respuesta de ${name}. Pregunta a un administrador de esta organización: el registro de auditoría dice por qué.`,
      no_address: (name) =>
        `${name} no indica tu dirección de correo. Añade una allí, o permite que se transmita, y empieza de nuevo.`,
      unverified_address: (name) =>
        `${name} no ha verificado tu dirección de correo. Verifícala allí y empieza de nuevo.`,
      no_account: (name, email) =>
        `Aquí no hay ninguna cuenta para ${email}. Pide una invitación a un administrador o elige otra cuenta en ${name}.`,
      address_not_allowed: (name, email) =>
        `Esta organización no admite ${email}. Pregunta a un administrador o elige otra cuenta en ${name}.`,
      other_identity: (name) =>
        `Esta cuenta ya está vinculada a otra en ${name}. Usa esa o pregunta a un administrador.`,
      unconfirmed_account: (_name, email) =>
        `Hay una cuenta para ${email}, pero nadie ha confirmado que sea su dirección. Inicia sesión con su contraseña y confírmala, o pregunta a un administrador.`,
      no_name: (name) =>
        `El nombre que ${name} da de ti no se puede usar aquí. Cámbialo allí y empieza de nuevo.`,
      account_deactivated: () =>
        'Tu cuenta está desactivada. Pide a un administrador de esta organización que la reactive.',
      organization_deactivated: () =>
        'Esta organización se ha desactivado. Pide a uno de sus propietarios que vuelva a abrirla.',
      other_person: (name) =>
        `En ${name} no eres quien ha iniciado sesión aquí. Elige allí la otra cuenta y empieza de nuevo.`,
    },
  },
  access: {
    absent: 'Aquí nadie inicia sesión con Cloudflare Access. Inicia sesión de otra forma.',
    notThrough:
      'Cloudflare Access no te ha dejado pasar, o lo ha hecho para otro servidor. Vuelve a abrir esta página; si eso no ayuda, pregunta a quien administra este servidor si Access lo protege.',
    nobody:
      'Cloudflare Access ha dejado pasar a un servicio, y no a una persona con una dirección. Entra en Access con tu cuenta.',
    noAccount: (email) =>
      `Aquí no hay ninguna cuenta con la dirección ${email}. Pide a alguien de la organización que te invite.`,
    unreachable: 'Cloudflare Access no responde. Inténtalo de nuevo en un momento.',
  },
  call: { title: 'Llamada' },
  zoom: {
    title: 'Zoom',
    done: 'Has iniciado sesión en Zoom. Puedes cerrar esta ventana: la llamada se está creando en la otra.',
  },
  unread: {
    title: 'Mensajes sin leer',
    ask: (here, page) =>
      `¿Mostrar en la página ${page} cuántos mensajes sin leer tienes en ${here}? No se comparte nada más. Termina cuando cierres la sesión aquí.`,
    allow: 'Mostrar el número',
    back: 'Volver sin mostrarlo',
  },
  mail: { title: 'Correo', broken: 'Este enlace no está completo. Ábrelo otra vez desde el correo.' },
  help: {
    title: 'Ayuda',
    elsewhere: (host) => `La ayuda de los clientes compatibles con Zulip está en otro sitio, ${host}:`,
  },
  logOut: { title: 'Cerrar sesión' },
  reset: {
    title: 'Una contraseña nueva',
    question: '¿Qué dirección tiene tu cuenta? Se enviará allí un enlace para elegir una contraseña nueva.',
    sent: (email) => `Si hay una cuenta con la dirección ${email}, un correo con un enlace va de camino.`,
    account: (email, organization) => html`Para la cuenta ${email} en <strong>${organization}</strong>.`,
    button: 'Establecer la contraseña',
    done: (email, organization) =>
      html`La cuenta ${email} en <strong>${organization}</strong> tiene su contraseña nueva. Inicia sesión con ella, aquí y en tus aplicaciones.`,
  },
  newAddress: {
    title: 'Tu nueva dirección',
    before: (name, organization, email) =>
      html`La cuenta de ${name} en <strong>${organization}</strong> tiene la dirección ${email}. A partir de ahora será:`,
    button: 'Confirmar',
    done: (email) =>
      `Tu dirección es ahora ${email}. A partir de ahora inicia sesión con ella: las aplicaciones que conocen la antigua te lo pedirán.`,
  },
  ownAddress: {
    title: 'Tu dirección',
    question: (name, organization) =>
      html`¿Es esta la dirección de la cuenta de ${name} en <strong>${organization}</strong>?`,
    button: 'Confirmar',
    done: (email) => `La dirección ${email} está confirmada.`,
  },
  join: {
    title: 'Unirse',
    invited: (referrer, organization) =>
      html`${referrer} te invita a unirte a <strong>${organization}</strong>.`,
    question: '¿Qué dirección debe tener tu cuenta? Se enviará allí un enlace para crearla.',
    sent: (email) => `Un correo con un enlace va de camino a ${email}. Abre el enlace para crear tu cuenta.`,
    with: (name) => `Unirse con ${name}`,
    button: 'Unirse',
    welcome: (organization) => html`Te damos la bienvenida a <strong>${organization}</strong>.`,
    how: 'Inicia sesión aquí o en tu aplicación: dale la dirección de este servidor y tu correo electrónico.',
  },
  setUp: {
    title: 'Una organización nueva',
    about: 'Aquí todavía no habla nadie. Serás propietario de la organización y podrás invitar a los demás.',
    organization: 'Nombre de la organización',
    location: 'Dónde está la mayoría de su gente',
    locations: {
      '': 'Donde estoy yo',
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
    kept: (jurisdiction) => `Lo que se escriba aquí se guarda en la jurisdicción ${jurisdiction}.`,
    button: 'Empezar',
    used: 'Este enlace ya se ha usado o es demasiado antiguo. Quien administra este servidor obtiene otro al iniciarlo o desplegarlo de nuevo.',
  },
  reactivation: {
    title: 'Volver a abrir esta organización',
    question:
      'Si esta organización se cerró, sus propietarios pueden volver a abrirla hasta que se eliminen sus datos. ¿Qué dirección tiene tu cuenta? Se enviará allí un enlace.',
    sent: (email) =>
      `Si un propietario de esta organización tiene la dirección ${email}, un correo con un enlace va de camino.`,
    isClosed: (organization) =>
      html`<strong>${organization}</strong> está cerrada. Cuando se abra, todos los que tenían una cuenta podrán volver a iniciar sesión, y no se elimina nada.`,
    button: 'Volver a abrirla',
    done: (organization) => html`<strong>${organization}</strong> vuelve a estar abierta.`,
  },
  deactivated: {
    title: 'Esta organización se ha cerrado',
    about:
      'Si se cerró, nadie puede iniciar sesión en ella hasta que uno de sus propietarios vuelva a abrirla.',
  },
}
