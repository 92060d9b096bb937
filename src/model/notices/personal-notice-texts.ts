import { type InEachLanguage, writtenLanguage } from '../../core/written-languages.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/** Texts of notices to one person. `who`, `channel` and `time` come as Markdown; the organization's name is escaped. */
interface PersonalNoticeTexts {
  readonly welcome: (organization: string) => readonly string[]
  readonly subscribed: (who: string, channel: string) => string
  /** Before a list of the channels. */
  readonly subscribedToSeveral: (who: string) => string
  readonly accepted: (who: string) => string
  /** `bot`: the name of the reader's former bot. */
  readonly botTaken: (who: string, bot: string) => string
  /** Before the reason. */
  readonly notSent: (time: string) => string
  readonly viewScheduled: string
  /** `answer`: the push bouncer's, as code. */
  readonly pushRefused: (answer: string) => string
}

const TEXTS: InEachLanguage<PersonalNoticeTexts> = {
  en: {
    welcome: (organization) => [
      `Hello, and welcome to ${organization}! :wave:`,
      'Messages here are organized by channel, and within a channel by topic. Browse the channels, join the ones you need, and reply in the topic you’re reading.',
      'I’m a bot. I starred this message so you can find it again, but I don’t read replies.',
    ],
    subscribed: (who, channel) => `${who} subscribed you to the channel ${channel}.`,
    subscribedToSeveral: (who) => `${who} subscribed you to the following channels:`,
    accepted: (who) => `${who} accepted your invitation to join Parley!`,
    botTaken: (who, bot) => `${who} took over your bot ${bot}. Its key no longer works.`,
    notSent: (time) => `The message you scheduled for ${time} was not sent because of the following error:`,
    viewScheduled: 'View scheduled messages',
    pushRefused: (answer) =>
      `Phones get no push notifications: the push service refuses this server. Its answer: ${answer}. It is asked again once a day. Browsers, and the page as an app, are notified as before.`,
  },
  de: {
    welcome: (organization) => [
      `Hallo und willkommen bei ${organization}! :wave:`,
      'Nachrichten sind hier nach Kanälen geordnet und in einem Kanal nach Themen. Sieh dir die Kanäle an, tritt denen bei, die du brauchst, und antworte in dem Thema, das du gerade liest.',
      'Ich bin ein Bot. Diese Nachricht habe ich für dich mit einem Stern markiert, damit du sie wiederfindest. Antworten lese ich nicht.',
    ],
    subscribed: (who, channel) => `${who} hat dich zum Kanal ${channel} hinzugefügt.`,
    subscribedToSeveral: (who) => `${who} hat dich zu diesen Kanälen hinzugefügt:`,
    accepted: (who) => `${who} hat deine Einladung zu Parley angenommen!`,
    botTaken: (who, bot) => `${who} hat deinen Bot ${bot} übernommen. Sein Schlüssel gilt nicht mehr.`,
    notSent: (time) => `Deine für ${time} geplante Nachricht wurde nicht gesendet. Der Grund:`,
    viewScheduled: 'Geplante Nachrichten ansehen',
    pushRefused: (answer) =>
      `Handys bekommen keine Push-Benachrichtigungen: Der Push-Dienst weist diesen Server ab. Seine Antwort: ${answer}. Er wird einmal am Tag wieder gefragt. Browser und die Seite als App werden weiter benachrichtigt.`,
  },
  es: {
    welcome: (organization) => [
      `¡Hola! Te damos la bienvenida a ${organization}. :wave:`,
      'Aquí los mensajes están ordenados por canales y, dentro de cada canal, por temas. Explora los canales, únete a los que necesites y responde en el tema que estés leyendo.',
      'Soy un bot. He destacado este mensaje para que puedas encontrarlo de nuevo, pero no leo las respuestas.',
    ],
    subscribed: (who, channel) => `${who} te ha añadido al canal ${channel}.`,
    subscribedToSeveral: (who) => `${who} te ha añadido a estos canales:`,
    accepted: (who) => `${who} ha aceptado tu invitación a Parley.`,
    botTaken: (who, bot) => `${who} se ha hecho cargo de tu bot ${bot}. Su clave ya no es válida.`,
    notSent: (time) => `El mensaje que programaste para ${time} no se ha enviado por este error:`,
    viewScheduled: 'Ver los mensajes programados',
    pushRefused: (answer) =>
      `Los teléfonos no reciben notificaciones push: el servicio de notificaciones rechaza este servidor. Su respuesta: ${answer}. Se le vuelve a preguntar una vez al día. Los navegadores y la página como aplicación las siguen recibiendo.`,
  },
  fr: {
    welcome: (organization) => [
      `Bonjour et bienvenue dans ${organization}\u00a0! :wave:`,
      'Ici, les messages sont classés par canal et, dans un canal, par sujet. Parcourez les canaux, rejoignez ceux dont vous avez besoin et répondez dans le sujet que vous lisez.',
      'Je suis un bot. J’ai ajouté ce message à vos favoris pour que vous le retrouviez, mais je ne lis pas les réponses.',
    ],
    subscribed: (who, channel) => `${who} vous a ajouté au canal ${channel}.`,
    subscribedToSeveral: (who) => `${who} vous a ajouté à ces canaux\u00a0:`,
    accepted: (who) => `${who} a accepté votre invitation à Parley\u00a0!`,
    botTaken: (who, bot) => `${who} a repris votre bot ${bot}. Sa clé n’est plus valable.`,
    notSent: (time) =>
      `Le message que vous aviez programmé pour ${time} n’a pas été envoyé, à cause de cette erreur\u00a0:`,
    viewScheduled: 'Voir les messages programmés',
    pushRefused: (answer) =>
      `Les téléphones ne reçoivent pas de notifications push\u00a0: le service de notifications refuse ce serveur. Sa réponse\u00a0: ${answer}. Il est interrogé de nouveau une fois par jour. Les navigateurs et la page en tant qu’application en reçoivent toujours.`,
  },
  ja: {
    welcome: (organization) => [
      `こんにちは。${organization} へようこそ！ :wave:`,
      'メッセージはチャンネルごとに、チャンネルの中ではトピックごとに整理されています。チャンネルを見て必要なものに参加し、読んでいるトピックで返信してください。',
      '私はボットです。あとで見つけられるように、このメッセージにスターを付けました。返信は読みません。',
    ],
    subscribed: (who, channel) => `${who} があなたをチャンネル ${channel} に追加しました。`,
    subscribedToSeveral: (who) => `${who} があなたを次のチャンネルに追加しました：`,
    accepted: (who) => `${who} が Parley への招待を承諾しました！`,
    botTaken: (who, bot) => `${who} があなたのボット ${bot} を引き継ぎました。これまでのキーは使えません。`,
    notSent: (time) => `${time} に予約したメッセージは、次のエラーのため送信されませんでした：`,
    viewScheduled: '予約したメッセージを表示',
    pushRefused: (answer) =>
      `スマートフォンにプッシュ通知が届いていません。プッシュサービスがこのサーバーを拒否しています。回答：${answer}。1日に1回、再び問い合わせます。ブラウザーと、アプリとして使うページには、これまでどおり届きます。`,
  },
  ar: {
    welcome: (organization) => [
      `أهلًا بك في ${organization}! :wave:`,
      'الرسائل هنا مرتبة حسب القنوات، وداخل كل قناة حسب الموضوعات. تصفَّح القنوات وانضم إلى ما تحتاج إليه منها، وردّ في الموضوع الذي تقرؤه.',
      'أنا بوت. ميَّزت هذه الرسالة بنجمة لتجدها من جديد، لكنني لا أقرأ الردود.',
    ],
    subscribed: (who, channel) => `أضافك ${who} إلى القناة ${channel}.`,
    subscribedToSeveral: (who) => `أضافك ${who} إلى هذه القنوات:`,
    accepted: (who) => `قبِل ${who} دعوتك إلى Parley!`,
    botTaken: (who, bot) => `تولّى ${who} أمر البوت ${bot} الذي كان لك. لم يعد مفتاحه صالحًا.`,
    notSent: (time) => `لم تُرسل الرسالة التي جدولتها في ${time} بسبب هذا الخطأ:`,
    viewScheduled: 'عرض الرسائل المجدولة',
    pushRefused: (answer) =>
      `لا تصل الإشعارات إلى الهواتف: خدمة الإشعارات ترفض هذا الخادم. ردّها: ${answer}. يُعاد سؤالها مرة كل يوم. وتستمر الإشعارات في المتصفحات وفي الصفحة بوصفها تطبيقًا.`,
  },
}

/** Returns the texts in the language of the person who gets them. */
export function personalNoticeTexts(reader: Pick<User, 'settings'>): PersonalNoticeTexts {
  return TEXTS[writtenLanguage(userSetting(reader, 'default_language')) ?? 'en']
}
