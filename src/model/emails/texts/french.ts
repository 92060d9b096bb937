import { listed } from '../../../core/written-languages.ts'
import type { MailTexts } from './english.ts'

export const FRENCH: MailTexts = {
  language: 'fr',
  emptyTopic: 'discussion générale',
  greeting: (name) => (name === undefined ? 'Bonjour,' : `Bonjour ${name},`),
  occasion: {
    device: (program, system) => `${program ?? 'un programme inconnu'} sur ${system ?? 'un système inconnu'}`,
    time: (time) => `Quand : ${time}`,
    by: (device) => `Avec : ${device}`,
    from: (network) => `Depuis : ${network}`,
  },
  unknownWithoutPassword: (url) =>
    `Si ce n’était pas vous, déconnectez-vous partout ici, sécurisez votre compte auprès du service de connexion et contactez un administrateur :\n${url}`,
  login: {
    subject: (device) => `Nouvelle connexion avec ${device}`,
    happened: (address, organization, origin) =>
      `Quelqu’un s’est connecté en tant que ${address} à ${organization} (${origin}), avec un programme qui n’avait encore jamais servi.`,
    wellKnown: 'Si c’était vous, il n’y a rien à faire.',
    unknown: (url) =>
      `Sinon, choisissez tout de suite un nouveau mot de passe. Cela met aussi fin à toutes les sessions ouvertes avec l’ancien :\n${url}`,
    unsubscribe: 'Ne plus recevoir d’e-mails sur les nouvelles connexions',
  },
  credentials: {
    password: {
      subject: (organization) => `Votre mot de passe pour ${organization} a été modifié`,
      happened: (address, organization) =>
        `Le mot de passe de ${address} dans ${organization} a été modifié.`,
    },
    apiKey: {
      subject: (organization) => `Nouvelle clé API pour ${organization}`,
      happened: (address, organization) =>
        `Une nouvelle clé API de ${address} dans ${organization} a été créée. Elle remplace l’ancienne, et les programmes qui utilisaient celle-ci sont déconnectés.`,
    },
    factorAdded: {
      subject: (organization) => `Validation en deux étapes pour ${organization} : nouvelle méthode`,
      happened: (address, organization) =>
        `Une application d’authentification ou une clé d’accès a été ajoutée au compte ${address} dans ${organization}. Désormais, le mot de passe seul ne suffit plus pour se connecter.`,
    },
    factorRemoved: {
      subject: (organization) => `Validation en deux étapes pour ${organization} : méthode supprimée`,
      happened: (address, organization) =>
        `Une application d’authentification ou une clé d’accès a été supprimée du compte ${address} dans ${organization}.`,
    },
    factorsReset: {
      subject: (organization) => `La validation en deux étapes pour ${organization} a été réinitialisée`,
      happened: (address, organization) =>
        `Un administrateur a supprimé l’application d’authentification, les clés d’accès et les codes de récupération de ${address} dans ${organization}. Configurez à nouveau la validation en deux étapes dans vos paramètres.`,
    },
    recoveryCodes: {
      subject: (organization) => `Nouveaux codes de récupération pour ${organization}`,
      happened: (address, organization) =>
        `De nouveaux codes de récupération ont été créés pour ${address} dans ${organization}. Les anciens ne fonctionnent plus.`,
    },
    loginConnected: {
      subject: (organization) => `Nouvelle façon de se connecter à ${organization}`,
      happened: (address, organization) =>
        `Le compte ${address} dans ${organization} a été lié à un compte d’un service de connexion. Désormais, on peut aussi se connecter avec celui-ci.`,
    },
    tokensConnected: {
      subject: (organization) => `Nouveau moyen de vous connecter à ${organization}`,
      happened: (address, organization) =>
        `Le compte ${address} dans ${organization} peut désormais être ouvert par un autre système de l’organisation, avec ses jetons.`,
    },
    unknown: (url) =>
      `Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et contactez un administrateur :\n${url}`,
  },
  addressChange: {
    subject: (organization) => `Votre adresse dans ${organization} a été modifiée`,
    happened: (organization, newAddress) =>
      `L’adresse e-mail de votre compte dans ${organization} est désormais ${newAddress}. Connectez-vous avec elle ; les e-mails y sont envoyés.`,
    given: (organization, newAddress) =>
      `L’adresse e-mail de votre compte dans ${organization} est maintenant ${newAddress}. Elle n’ouvrira votre compte que lorsque vous l’aurez confirmée. D’ici là, vous vous connectez comme avant, et les e-mails au sujet de votre compte arrivent ici.`,
    confirm: (url) =>
      `Si c’est bien votre adresse, confirmez-la d’ici un jour avec ce lien, ou connectez-vous avec elle et votre mot de passe :\n${url}`,
    byAdministrator: 'Un administrateur l’a modifiée.',
    unknown: 'Si ce n’était pas vous, contactez tout de suite un administrateur de l’organisation.',
  },
  addressCheck: {
    subject: (organization) => `Confirmez votre nouvelle adresse dans ${organization}`,
    happened: (organization, oldAddress) =>
      `Cette adresse va devenir la nouvelle adresse e-mail de votre compte dans ${organization}, à la place de ${oldAddress}.`,
    link: (url) => `Pour la confirmer, ouvrez ce lien :\n${url}`,
    validity: 'Ce lien est valable un jour. Si vous n’avez rien demandé, ne faites rien : rien ne changera.',
  },
  addressProof: {
    subject: (organization) => `Confirmez votre adresse dans ${organization}`,
    happened: (name, organization) =>
      `Quelqu’un, sans doute vous, a créé le compte de ${name} dans ${organization} avec cette adresse e-mail. Tant qu’elle n’est pas confirmée, aucun autre e-mail n’y est envoyé.`,
    validity: 'Ce lien est valable un jour. Si ce compte n’est pas le vôtre, ne faites rien.',
  },
  signUp: {
    subject: (organization) => `Rejoignez ${organization}`,
    happened: (referrer, organization) =>
      `Quelqu’un, sans doute vous, veut rejoindre ${organization} avec cette adresse e-mail, par un lien d’invitation de ${referrer}.`,
    link: (url) => `Pour créer votre compte, ouvrez ce lien :\n${url}`,
    validity:
      'Ce lien est valable un jour. Si vous n’avez rien demandé, ne faites rien : aucun compte ne sera créé.',
    hasAccount: (organization, url) =>
      `Vous avez déjà un compte dans ${organization}. Connectez-vous ici :\n${url}`,
  },
  passwordReset: {
    subject: (organization) => `Un nouveau mot de passe pour ${organization}`,
    happened: (organization) =>
      `Quelqu’un, sans doute vous, veut un nouveau mot de passe pour votre compte dans ${organization}.`,
    link: (url) => `Pour en choisir un, ouvrez ce lien :\n${url}`,
    validity:
      'Ce lien est valable un jour. Si vous n’avez rien demandé, ne faites rien : votre mot de passe reste le même.',
  },
  connection: {
    subject: (organization) => `Autoriser un nouveau moyen de vous connecter à ${organization} ?`,
    happened: (address, organization, name) =>
      `Quelqu’un, sans doute vous, a voulu se connecter en tant que ${address} à ${organization} avec ${name ?? 'un autre système de l’organisation'}. Vous avez utilisé ce compte sans lui jusqu’ici ; il faut donc l’autoriser une fois.`,
    link: (url) => `Pour l’autoriser, ouvrez ce lien :\n${url}`,
    validity:
      'Le lien est valable un jour. Si ce n’était pas vous, ne faites rien : personne ne peut se connecter ainsi. Mais prévenez un administrateur.',
  },
  ofAccounts: {
    address: {
      subject: (name, organization) => `L’adresse de ${name} dans ${organization} a été modifiée`,
      happened: (name, before, address, by) =>
        `${by ?? 'Le fournisseur d’identité (SCIM)'} a modifié l’adresse e-mail de ${name} : ${address} au lieu de ${before}.`,
      unconfirmed: (name) =>
        `Elle n’ouvrira le compte que lorsque ${name} l’aura confirmée. Vous recevez cet e-mail parce que vous êtes propriétaire de l’organisation.`,
    },
    opened: {
      subject: (name, organization) =>
        `Le compte de ${name} dans ${organization} a été ouvert par un nouveau moyen`,
      happened: (name, address, way) =>
        `Quelqu’un s’est connecté en tant que ${name} (${address}) avec ${way ?? 'un jeton d’un autre système'}, auquel ce compte n’était pas associé.`,
    },
    allowed:
      'L’exploitant du serveur l’autorise (OWNER_ACCOUNT_ACCESS). Vous recevez cet e-mail parce que vous êtes propriétaire de l’organisation.',
  },
  importedAccount: {
    subject: (organization) => `Votre compte dans ${organization}`,
    happened: (organization) =>
      `${organization} a emménagé ici, avec tout ce que votre équipe a écrit jusqu’à présent. Un compte vous attend.`,
    link: (url) => `Pour choisir un mot de passe et vous connecter, ouvrez ce lien :\n${url}`,
    validity: (url) => `Ce lien est valable un jour. Ensuite, vous pouvez en obtenir un autre ici :\n${url}`,
    logIn: (url, ways) =>
      `Pour vous connecter${ways === '' ? '' : ` avec ${ways}`}, ouvrez cette page :\n${url}`,
    address: (address) => `Utilisez-y votre compte qui a l’adresse e-mail ${address}.`,
  },
  invitation: {
    subject: (referrer, organization) => `${referrer} vous invite à rejoindre ${organization}`,
    reminder: (organization) => `Rappel : rejoignez ${organization}`,
    happened: (referrer, address, organization) =>
      `${referrer} (${address}) vous invite à rejoindre ${organization}, où l’équipe échange.`,
    until: (time) => `Le lien est valable jusqu’au ${time}.`,
    forEver: 'Le lien n’expire pas.',
  },
  closedAccount: {
    subject: (organization) => `Votre compte dans ${organization} a été désactivé`,
    happened: (by, address, organization) =>
      `${by} a désactivé votre compte (${address}) dans ${organization}. Vous ne pouvez plus vous connecter.`,
    comment: (by) => `${by} écrit :`,
  },
  closedOrganization: {
    subject: (organization) => `Votre organisation ${organization} a été désactivée`,
    happened: (by, organization, origin, day) =>
      `${by} a désactivé ${organization} (${origin}) le ${day} (UTC). Plus personne ne peut se connecter.`,
    kept: 'Ses données sont conservées.',
    deleted: (day) => `Toutes ses données seront supprimées définitivement le ${day} (UTC).`,
    reopen: (url, ends) =>
      `${ends ? 'D’ici là, chacun' : 'Chacun'} de ses propriétaires peut la réactiver : demandez un lien ici :\n${url}`,
  },
  reopenedOrganization: {
    subject: (organization) => `Réactiver votre organisation ${organization}`,
    happened: (organization) => `Quelqu’un, sans doute vous, veut réactiver ${organization}.`,
    link: (url) => `Pour cela, ouvrez ce lien :\n${url}`,
    validity:
      'Ce lien est valable un jour, et une seule fois. Si vous n’avez rien demandé, ne faites rien : l’organisation reste désactivée.',
  },
  welcome: {
    subject: (organization) => `Bienvenue dans ${organization}`,
    happened: (organization, origin, address) =>
      `Vous avez maintenant un compte dans ${organization}. Il est ici :\n${origin}/\nConnectez-vous avec ${address}.`,
    begin:
      'On y échange dans des canaux et, dans chaque canal, dans des sujets : un sujet est une conversation à laquelle on peut revenir. Pour commencer, dites bonjour dans un sujet à vous, ou parcourez ceux qui existent.',
    password: (url) => `Si vous oubliez un jour votre mot de passe, choisissez-en un nouveau ici :\n${url}`,
  },
  guide: {
    subject: 'Les sujets séparent les conversations',
    said: (organization) => [
      `Vous êtes dans ${organization} depuis quelques jours. Une chose y est plus simple que dans d’autres messageries, une fois l’habitude prise : chaque message d’un canal a un sujet.`,
      'Commencez un nouveau sujet pour chaque nouvelle question, avec un nom de quelques mots qui dit de quoi il s’agit. Répondez dans le sujet qui existe déjà. Ainsi, deux conversations ne se mélangent pas, et l’on retrouve ce qui a été convenu.',
      'En lisant sujet par sujet, vous voyez ce qu’une conversation a donné, et pouvez laisser de côté ce qui ne vous concerne pas : mettez ces sujets en sourdine, et suivez ceux qui vous concernent. Quand une question a reçu sa réponse, marquez son sujet comme résolu.',
    ],
    unsubscribe: 'Ne plus recevoir de conseils d’utilisation',
  },
  pausedAddress: (address, reason) =>
    `Les e-mails à votre adresse \`${address}\` ne peuvent pas être remis : son serveur indique qu’ils ne le seront jamais (\`${reason}\`). Aucun e-mail sur les messages manqués ou les connexions et aucun résumé n’y sera plus envoyé. Dans vos paramètres, sous « Compte », indiquez une autre adresse, ou de nouveau la même pour réessayer.`,
  missed: {
    senderName: (organization) => `${organization} (notifications)`,
    subject: {
      direct: (sender) => `Messages directs avec ${sender}`,
      group: (others) => `Conversation de groupe avec ${listed(others, 'et', 'autres')}`,
      channel: (channel, topic, isResolved) => `${isResolved ? '[résolu] ' : ''}#${channel} > ${topic}`,
      hidden: 'Nouveaux messages',
    },
    before: 'Avant cela :',
    after: 'Nouveau :',
    hiddenSpoiler: '(Spoiler : ouvrez le message pour le voir.)',
    long: '(Ce message est trop long pour un e-mail.)',
    more: (count) => (count === 1 ? 'Il y a un autre message.' : `Il y a ${count} autres messages.`),
    hiddenBy: (reason, organization, count) =>
      `${count === 1 ? 'Il y a un nouveau message' : `Il y a ${count} nouveaux messages`} pour vous dans ${organization}. ${reason}`,
    why: {
      mention: ({ group }) =>
        group === null
          ? 'Vous recevez ceci parce que vous avez été mentionné.'
          : `Vous recevez ceci parce que @${group} a été mentionné et que vous êtes dans ce groupe.`,
      topic_wildcard_mention: ({ conversation }) =>
        `Vous recevez ceci parce que toutes les personnes qui participent à ${conversation} ont été mentionnées.`,
      channel_wildcard_mention: ({ channel }) =>
        `Vous recevez ceci parce que tout le monde a été mentionné dans #${channel}.`,
      followed_topic: ({ conversation }) =>
        `Vous recevez ceci parce que vous suivez ${conversation} et recevez des e-mails pour les sujets suivis.`,
      channel: ({ channel }) =>
        `Vous recevez ceci parce que vous recevez des e-mails pour les messages de #${channel}.`,
    },
    open: 'Ouvrir la conversation',
    answer: 'Répondez à cet e-mail pour écrire dans la conversation.',
    noReply: (organization) => `Les réponses à cet e-mail ne sont pas lues : répondez dans ${organization}.`,
    settings: 'Paramètres des notifications',
    unsubscribe: 'Ne plus recevoir ces e-mails',
  },
  digest: {
    senderName: (organization) => `${organization} (résumé)`,
    subject: (organization) => `Ce que vous avez manqué dans ${organization}`,
    happened: (organization) =>
      `Voici ce qui s’est passé dans ${organization} en votre absence et que vous n’avez pas encore lu.`,
    missed: 'Messages directs et mentions',
    topics: 'Sujets animés',
    channels: 'Nouveaux canaux',
    more: (count, isOpen, senders) =>
      `Et ${isOpen ? 'au moins ' : ''}${counted(count, 'autre message', 'autres messages')}${senders.length === 0 ? '' : ` de ${listed(senders, 'et', 'autres')}`}.`,
    moreConversations: (count) =>
      `Et ${counted(count, 'autre conversation', 'autres conversations')} avec des messages pour vous.`,
    moreChannels: (count) => `Et ${counted(count, 'autre', 'autres')}.`,
    count: {
      conversations: (count) =>
        `${counted(count, 'conversation', 'conversations')} avec des messages directs ou des mentions de vous`,
      topics: (count) => counted(count, 'sujet animé', 'sujets animés'),
      channels: (count) => counted(count, 'nouveau canal', 'nouveaux canaux'),
    },
    open: (organization) => `Ouvrir ${organization}`,
    unsubscribe: 'Ne plus recevoir de résumés',
  },
  hiddenBy: {
    organization: 'L’organisation ne permet pas d’afficher des messages dans les e-mails.',
    reader: 'Vos paramètres ne permettent pas d’afficher des messages dans les e-mails.',
  },
  unsubscribed: {
    title: (organization) => `E-mails de ${organization}`,
    ask: (organization, what) => `Ne plus recevoir de ${organization} : ${what} ?`,
    button: (what) => `Ne plus recevoir : ${what}`,
    done: (organization, what) =>
      `Vous ne recevez plus de ${organization} : ${what}. Vous pouvez les rétablir dans vos paramètres.`,
    what: {
      missed_messages: 'e-mails sur les messages manqués',
      login: 'e-mails sur les nouvelles connexions',
      digest: 'résumés',
      marketing: 'conseils d’utilisation',
    },
  },
}

/** Zero is singular in French. */
function counted(count: number, one: string, many: string): string {
  return `${count} ${count < 2 ? one : many}`
}
