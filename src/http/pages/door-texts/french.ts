import { html } from '../../../core/written-languages.ts'
import type { DoorTexts } from './english.ts'

export const FRENCH: DoorTexts = {
  language: 'fr',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  newPassword: 'Mot de passe (au moins six caractères)',
  yourName: 'Votre nom',
  sendLink: 'Envoyer le lien',
  toLogIn: 'Aller à la connexion',
  tooMany: (wait) => `Trop de tentatives. Réessayez dans ${wait}.`,
  refusals: {
    'Your username or password is incorrect':
      'Cette adresse et ce mot de passe ne correspondent à aucun compte ici. Vérifiez les deux et réessayez, ou réinitialisez votre mot de passe.',
    'Enter a valid email address.': 'Saisissez une adresse e-mail valide, par exemple nom@example.com.',
    'Password authentication is disabled in this organization':
      'La connexion par mot de passe est désactivée dans cette organisation. Connectez-vous autrement ou contactez un administrateur.',
    'Account is deactivated':
      'Votre compte est désactivé. Demandez à un administrateur de cette organisation de le réactiver.',
    'This organization has been deactivated':
      'Cette organisation a été désactivée. Demandez à l’un de ses propriétaires de la réactiver.',
    'This organization is open.': 'Cette organisation est active : connectez-vous.',
    'That code is wrong, or was used already. Enter the newest one.':
      'Ce code est faux ou a déjà servi. Saisissez le plus récent.',
    'That took too long, or was tried too often. Log in again.':
      'Cela a pris trop de temps ou demandé trop de tentatives. Connectez-vous à nouveau.',
    'That took too long, or was already done. Try again.':
      'Cela a pris trop de temps, ou a déjà été fait. Réessayez.',
    'This passkey does not fit. Try again, or use another way.':
      'Cette clé d’accès ne convient pas. Réessayez ou connectez-vous autrement.',
    'Your passkey has not checked that it is you. Log in with your password, and use it as the second step.':
      'Votre clé d’accès n’a pas vérifié que c’est bien vous. Connectez-vous avec votre mot de passe et utilisez la clé d’accès comme deuxième étape.',
    'This link opens the account of an owner, and none has this address.':
      'Ce lien est destiné au compte d’un propriétaire, et aucun propriétaire n’a cette adresse. L’administrateur du serveur peut en créer un autre.',
    'This invitation is not valid any more.':
      'Cette invitation a expiré ou a été révoquée. Demandez-en une nouvelle à la personne qui vous a invité.',
    'This link is not valid any more.': 'Ce lien a expiré ou a déjà servi. Demandez-en un nouveau.',
    'Email is already in use.': 'Un compte existe déjà avec cette adresse. Connectez-vous avec elle.',
    'Email addresses containing + are not allowed.':
      'Les adresses avec un + ne sont pas admises dans cette organisation. Saisissez la vôtre sans cette partie.',
    'Disposable email addresses are not allowed in this organization':
      'Les adresses jetables ne sont pas admises dans cette organisation. Saisissez-en une autre.',
    'Email not allowed in this organization':
      'Cette organisation n’admet pas les adresses de ce domaine. Saisissez-en une autre ou contactez un administrateur.',
    'Email address changes are disabled in this organization.':
      'Dans cette organisation, vous ne pouvez pas changer votre adresse vous-même. Contactez un administrateur.',
    'This address needs to be confirmed by mail first.':
      'Cette adresse doit d’abord être confirmée. Ouvrez le lien de l’e-mail que nous y avons envoyé.',
    'This organization admits addresses of certain domains, and this server can send no mail to confirm one.':
      'Cette organisation n’admet que les adresses de certains domaines, et ce serveur ne peut pas envoyer d’e-mail pour en confirmer une. Demandez à un administrateur d’inviter votre adresse.',
    'The password is too weak.': 'Ce mot de passe est trop faible. Choisissez-en un plus long.',
    'Bad name or username': 'Saisissez une adresse e-mail valide, par exemple nom@example.com.',
    'Enter a name of 1 to 40 characters': 'Saisissez un nom de 1 à 40 caractères.',
    'Enter a name of 2 to 100 characters': 'Saisissez un nom de 2 à 100 caractères.',
    'Enter a valid e-mail address': 'Saisissez une adresse e-mail valide, par exemple nom@example.com.',
    'Invalid characters in name!':
      'Le nom contient des caractères qui ne sont pas autorisés. Choisissez-en un autre.',
    'Invalid format!': 'Un nom ne peut pas se terminer par | et un nombre. Choisissez-en un autre.',
    'Name too short!': 'Le nom est trop court. Saisissez au moins deux caractères.',
    'Name too long!': 'Le nom est trop long. Saisissez au plus 100 caractères.',
    'Unique names required in this organization.':
      'Quelqu’un porte déjà ce nom ici. Complétez-le, par exemple avec votre deuxième prénom.',
    'The storage of this organization is full. Only reading and deleting are possible.':
      'L’espace de stockage de cette organisation est plein. Demandez à un administrateur de faire de la place.',
    'The server cannot answer just now. Please try again in a moment.':
      'Le serveur ne peut pas répondre pour le moment. Réessayez dans un instant.',
    'This request comes from a page of another site.':
      'D’après votre navigateur, cette requête vient d’un autre site. Rouvrez la page et réessayez.',
    'BigBlueButton is not configured on this server.':
      'BigBlueButton n’est pas configuré sur ce serveur. Contactez l’administrateur du serveur.',
    'Invalid signature.':
      'Ce lien ne correspond à aucun appel de cette organisation. Rouvrez l’appel depuis son message.',
    'Error connecting to the BigBlueButton server.':
      'Le serveur BigBlueButton ne répond pas. Réessayez dans un instant.',
    'Error authenticating to the BigBlueButton server.':
      'Le serveur BigBlueButton a refusé le secret de ce serveur. Contactez l’administrateur du serveur.',
    'BigBlueButton server returned an unexpected error.':
      'Le serveur BigBlueButton a signalé une erreur. Réessayez ou contactez l’administrateur du serveur.',
    'Zoom is not configured on this server.':
      'Zoom n’est pas configuré sur ce serveur. Contactez l’administrateur du serveur.',
    'Invalid Zoom session identifier':
      'Cette connexion à Zoom a commencé dans un autre navigateur ou un autre compte, ou il y a trop longtemps. Cliquez de nouveau sur le bouton d’appel.',
    'Invalid subdomain':
      'Il n’y a pas d’organisation à cette adresse. Vérifiez l’adresse ou adressez-vous à la personne qui vous l’a envoyée.',
    'There is no such organization here.':
      'Cette organisation n’est pas sur ce serveur, elle ne peut donc pas afficher vos messages non lus. Revenez à la page d’où vous venez.',
    'Zoom access was declined.':
      'D’après Zoom, vous n’avez pas autorisé l’accès. Cliquez de nouveau sur le bouton d’appel pour l’autoriser.',
    'Invalid Zoom credentials':
      'Zoom a refusé cette connexion. Cliquez de nouveau sur le bouton d’appel. Si cela ne suffit pas, contactez l’administrateur du serveur.',
    'Failed to create Zoom call':
      'Zoom ne répond pas. Cliquez de nouveau sur le bouton d’appel dans un instant.',
  },
  logIn: {
    title: 'Connexion',
    button: 'Se connecter',
    with: (name) => `Se connecter avec ${name}`,
    forgotten: 'Mot de passe oublié ?',
    readPublic: 'Lire sans compte',
    incomplete: 'Ce lien est incomplet. Recommencez depuis l’application.',
  },
  secondFactor: {
    title: 'Validation en deux étapes',
    code: 'Code de votre application d’authentification, ou code de récupération',
    passkey: 'Utiliser une clé d’accès',
    passkeyFailed: 'Cela n’a pas fonctionné. Réessayez ou connectez-vous autrement.',
    again: 'Se connecter à nouveau',
    setUpTitle: 'Configurer la validation en deux étapes',
    setUpAbout:
      'Votre organisation demande une deuxième étape à la connexion : un code d’une application sur votre téléphone.',
    scan: 'Scannez ceci avec une application d’authentification :',
    orType: 'Ou saisissez-y cette clé :',
    firstCode: 'Code affiché dans l’application',
    setUpButton: 'Activer et se connecter',
    codesTitle: 'Vos codes de récupération',
    codesAbout:
      'Gardez ces codes en lieu sûr. Si vous perdez votre téléphone, chacun vous permet de vous connecter une fois. Ils ne seront plus affichés.',
    onward: 'Je les ai enregistrés',
  },
  desktop: {
    title: 'Se connecter à l’application de bureau',
    elsewhere: 'Connectez-vous avec votre navigateur, puis revenez à l’application.',
    open: 'Ouvrir le navigateur',
    paste: 'Code affiché par votre navigateur',
    unreadable:
      'Ce n’est pas le code affiché par votre navigateur, ou le navigateur a été ouvert depuis une autre fenêtre.',
    copyIt: 'Copiez ce code et retournez dans l’application de bureau. Personne d’autre ne peut le lire.',
    token: 'Pour l’application de bureau',
    copy: 'Copier',
    copied: 'Copié. Retournez dans l’application de bureau.',
    used: 'Ce lien a expiré ou a déjà servi. Recommencez depuis l’application.',
  },
  ownerLink: {
    about: (email) => `Ce lien vous connecte une fois en tant que ${email}.`,
    used: 'Ce lien a expiré ou a déjà servi. L’administrateur du serveur peut en créer un autre.',
  },
  provider: {
    again: 'Aller à la page de connexion',
    troubles: {
      unknown: () =>
        'Ce mode de connexion n’est pas disponible ici. Revenez en arrière et choisissez-en un autre.',
      expired: () => 'Cette connexion a expiré ou a été commencée dans un autre navigateur. Recommencez.',
      declined: (name) =>
        `${name} ne vous a pas laissé entrer. Recommencez ou choisissez une autre façon de vous connecter.`,
      unreachable: (name) =>
        `${name} ne répond pas. Réessayez dans quelques minutes ou choisissez une autre façon de vous connecter.`,
      invalid: (name) =>
        `La réponse de ${name} ne peut pas être acceptée. Contactez un administrateur de cette organisation : le journal d’audit dit pourquoi.`,
      no_address: (name) =>
        `${name} n’a pas communiqué votre adresse e-mail. Ajoutez-en une là-bas ou autorisez son partage, puis recommencez.`,
      unverified_address: (name) =>
        `${name} n’a pas vérifié votre adresse e-mail. Faites-la vérifier là-bas, puis recommencez.`,
      no_account: (name, email) =>
        `Il n’y a pas de compte ici pour ${email}. Demandez une invitation à un administrateur, ou choisissez un autre compte chez ${name}.`,
      address_not_allowed: (name, email) =>
        `Cette organisation n’admet pas ${email}. Contactez un administrateur, ou choisissez un autre compte chez ${name}.`,
      other_identity: (name) =>
        `Ce compte est déjà lié à un autre chez ${name}. Utilisez celui-là, ou contactez un administrateur.`,
      unconfirmed_account: (_name, email) =>
        `Il y a un compte pour ${email}, mais l’adresse n’a pas été confirmée. Connectez-vous avec le mot de passe et confirmez-la, ou contactez un administrateur.`,
      not_connected: (name, email) =>
        `Il y a un compte pour ${email}, mais il n’est pas encore associé à ${name}. Connectez-vous une fois comme avant, ou ouvrez le lien envoyé à l’adresse du compte.`,
      no_name: (name) =>
        `Le nom que ${name} donne pour vous ne peut pas être utilisé ici. Changez-le là-bas, puis recommencez.`,
      account_deactivated: () =>
        'Votre compte est désactivé. Demandez à un administrateur de cette organisation de le réactiver.',
      organization_deactivated: () =>
        'Cette organisation a été désactivée. Demandez à l’un de ses propriétaires de la réactiver.',
      other_person: (name) =>
        `Votre compte chez ${name} n’est pas celui du compte connecté ici. Choisissez l’autre là-bas, puis recommencez.`,
    },
  },
  connection: {
    title: 'Associer votre compte',
    question: (email, organization, name) =>
      `Désormais, le compte ${email} dans ${organization} pourra être ouvert avec ${name ?? 'les jetons d’un autre système de l’organisation'}.`,
    button: 'Autoriser',
    done: (name) =>
      name === null
        ? 'L’autre système peut maintenant se connecter à votre compte.'
        : `Vous pouvez maintenant vous connecter avec ${name}.`,
  },
  access: {
    absent: 'Cloudflare Access n’est pas configuré ici. Connectez-vous autrement.',
    notThrough:
      'Cloudflare Access ne vous a pas laissé passer vers ce serveur. Rouvrez cette page. Si cela ne suffit pas, demandez à l’administrateur du serveur si Access le protège.',
    nobody: 'Cloudflare Access a laissé passer un service, et non une personne avec une adresse e-mail.',
    noAccount: (email) =>
      `Il n’y a pas de compte ici pour ${email}. Demandez à quelqu’un de l’organisation de vous inviter.`,
    unreachable: 'Cloudflare Access ne répond pas. Réessayez dans un instant.',
  },
  call: { title: 'Appel' },
  zoom: {
    title: 'Zoom',
    done: 'Vous êtes connecté à Zoom. Vous pouvez fermer cette fenêtre : votre appel se prépare dans l’autre.',
  },
  unread: {
    title: 'Messages non lus',
    ask: (here, page) =>
      `Afficher le nombre de vos messages non lus dans ${here} sur la page ${page} ? Rien d’autre n’est partagé. Cela cesse à votre déconnexion ici.`,
    allow: 'Afficher le nombre',
    back: 'Revenir sans l’afficher',
  },
  missing: {
    title: 'Page introuvable',
    about: 'Il n’y a rien à cette adresse. Vérifiez-la, ou repartez du début.',
  },
  mail: { title: 'E-mail', broken: 'Ce lien est invalide ou incomplet. Rouvrez-le depuis l’e-mail.' },
  help: {
    title: 'Aide',
    elsewhere: (host) => `L’aide des clients compatibles avec Zulip se trouve sur un autre site, ${host} :`,
  },
  logOut: { title: 'Déconnexion' },
  reset: {
    title: 'Réinitialiser votre mot de passe',
    question:
      'Saisissez votre adresse e-mail. Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
    sent: (email) => `S’il existe un compte pour ${email}, vous recevrez un e-mail avec un lien.`,
    account: (email, organization) => html`Pour le compte ${email} dans <strong>${organization}</strong>.`,
    button: 'Définir le mot de passe',
    done: (email, organization) =>
      html`Votre mot de passe pour ${email} dans <strong>${organization}</strong> a été changé. Utilisez-le pour vous connecter ici et dans vos applications.`,
  },
  newAddress: {
    title: 'Confirmez votre nouvelle adresse e-mail',
    before: (name, organization, email) =>
      html`Le compte de ${name} dans <strong>${organization}</strong> utilise ${email}. Sa nouvelle adresse sera :`,
    button: 'Confirmer',
    done: (email) =>
      `Votre adresse e-mail est maintenant ${email}. Utilisez-la pour vous connecter. Les applications qui connaissent l’ancienne vous demanderont de vous reconnecter.`,
  },
  ownAddress: {
    title: 'Confirmez votre adresse e-mail',
    question: (name, organization) =>
      html`Cette adresse est-elle celle du compte de ${name} dans <strong>${organization}</strong> ?`,
    button: 'Confirmer',
    done: (email) => `L’adresse ${email} est confirmée.`,
  },
  join: {
    title: 'Rejoindre',
    invited: (referrer, organization) =>
      html`${referrer} vous a invité à rejoindre <strong>${organization}</strong>.`,
    question: 'Saisissez votre adresse e-mail. Nous vous enverrons un lien pour créer votre compte.',
    sent: (email) =>
      `Nous avons envoyé un e-mail à ${email}. Ouvrez le lien qu’il contient pour créer votre compte.`,
    with: (name) => `Rejoindre avec ${name}`,
    button: 'Rejoindre',
    welcome: (organization) => html`Bienvenue dans <strong>${organization}</strong>.`,
    how: 'Connectez-vous ici ou dans votre application, avec l’adresse de ce serveur et votre adresse e-mail.',
  },
  setUp: {
    title: 'Créez votre organisation',
    about: 'Vous en serez propriétaire et pourrez inviter toutes les autres personnes.',
    organization: 'Nom de l’organisation',
    location: 'Emplacement de l’équipe',
    locationHint: 'L’endroit où ses données sont conservées. Ce choix est définitif.',
    locations: {
      '': 'Près de moi',
      wnam: 'Amérique du Nord, ouest',
      enam: 'Amérique du Nord, est',
      sam: 'Amérique du Sud',
      weur: 'Europe, ouest',
      eeur: 'Europe, est',
      apac: 'Asie et Pacifique',
      oc: 'Océanie',
      afr: 'Afrique',
      me: 'Moyen-Orient',
    },
    kept: (jurisdiction) => `Ses données sont conservées dans la juridiction ${jurisdiction}.`,
    button: 'Créer l’organisation',
    used: 'Ce lien a expiré ou a déjà servi. L’administrateur du serveur en obtient un autre en démarrant ou en déployant à nouveau le serveur.',
  },
  reactivation: {
    title: 'Réactiver cette organisation',
    question:
      'Si cette organisation a été désactivée, ses propriétaires peuvent la réactiver jusqu’à la suppression de ses données. Saisissez votre adresse e-mail. Nous vous enverrons un lien.',
    sent: (email) =>
      `Si ${email} est l’adresse d’un propriétaire de cette organisation, vous recevrez un e-mail avec un lien.`,
    isClosed: (organization) =>
      html`<strong>${organization}</strong> est désactivée. Une fois réactivée, toutes les personnes qui ont un compte pourront se reconnecter. Rien n’a été supprimé.`,
    button: 'Réactiver',
    done: (organization) => html`<strong>${organization}</strong> est de nouveau active.`,
  },
  deactivated: {
    title: 'Cette organisation a été désactivée',
    about: 'Personne ne peut s’y connecter tant que l’un de ses propriétaires ne l’a pas réactivée.',
  },
}
