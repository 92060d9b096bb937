/** How the demo's conversations end: what people see first in an inbox and in each topic. */

/** The speaker, as an index into `DEMO_PEOPLE`, the text, and who reacts with which emoji. */
export type SceneLine = readonly [sender: number, content: string, emoji_name?: string, ...reactors: number[]]

const [ADA, TOMAS, IMANI, JUN, CLARA, PIOTR, LEILA, RAVI, NORA] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const

/** The last lines of each topic, by channel. */
export const TOPIC_SCENES: Readonly<Record<string, Readonly<Record<string, readonly SceneLine[]>>>> = {
  general: {
    welcome: [
      [ADA, 'Please welcome @**Ravi Menon**, who looks after the web shop with Tomás from this month on.'],
      [
        RAVI,
        'Hello everyone! I have bought books here for years, so it is about time. :books:',
        'tada',
        IMANI,
        CLARA,
        LEILA,
      ],
      [IMANI, 'Welcome! Coffee is in the back, the good cups are behind the dictionaries.'],
    ],
    'keys and alarm': [
      [PIOTR, 'The alarm went off at 6:40 this morning. It was the cleaners, their code had expired.'],
      [TOMAS, 'I have made them a new one. It works from 6 to 9 on weekdays.'],
      [
        ADA,
        '@**Jun Watanabe** could you take the spare key to the bakery? They open for the Saturday delivery.',
      ],
      [JUN, 'On my way home tonight.', 'thumbs_up', ADA],
    ],
    'holiday plans': [
      [LEILA, 'I am away until Monday. Clara has my events folder.'],
      [CLARA, 'I have, and I have already spilled tea on it.', 'joy', LEILA, IMANI, JUN],
      [
        IMANI,
        'The plan for December:\n\n| | 1–7 | 8–14 | 15–21 | 22–31 |\n|---|---|---|---|---|\n| Jun | off | | | |\n| Ravi | | off | | |\n| Piotr | | | | off |\n\nPlease tell me by Friday if that does not work for you.',
      ],
      [PIOTR, 'Works for me.'],
    ],
    'lost and found': [
      [CLARA, 'A green umbrella, a child’s mitten with a fox on it, and a library copy of *Emma*.'],
      [JUN, 'The mitten belongs to the boy who reads the whole dinosaur shelf on Thursdays.', 'heart', CLARA],
      [CLARA, 'Then it waits on the dinosaur shelf.'],
    ],
    'staff day': [
      [
        IMANI,
        '/poll Where do we go for the staff day?\nBoat to the lighthouse\nPaper mill in the valley\nPrint workshop in town',
      ],
      [PIOTR, 'The boat does not run when the wind is above six, so we need a second plan.'],
      [
        ADA,
        'The mill takes groups on Mondays. I will hold both until the end of the week.',
        'thumbs_up',
        IMANI,
        PIOTR,
      ],
    ],
    'parking at the quay': [
      [TOMAS, 'The council closes the quay for resurfacing on Wednesday and Thursday.'],
      [JUN, 'So the van has to come through Net Lane?'],
      [TOMAS, 'Yes, before eight. I have told the carrier.'],
    ],
  },
  'shop floor': {
    rota: [
      [JUN, 'Could anyone swap Saturday with me? My sister is getting married. Not to be missed, I am told.'],
      [PIOTR, 'I can, if you take my Tuesday.'],
      [JUN, 'Done, thank you!', 'tada', PIOTR, IMANI],
      [IMANI, 'I have changed it in the rota.'],
    ],
    'window display': [
      [CLARA, 'The lighthouse window is finished. The little lamp really turns.', 'heart', ADA, LEILA],
      [ADA, 'Two people came in because of it this morning. One bought the lamp.'],
      [CLARA, 'It was not for sale!'],
      [ADA, 'It was € 40. I have ordered another.', 'joy', CLARA, JUN],
    ],
    'card reader': [
      [PIOTR, 'The front reader drops the connection after every third payment.'],
      [RAVI, 'That is the old firmware. I have updated it, please try a few and tell me.'],
      [PIOTR, 'Eleven in a row without a fault.', 'check', RAVI],
    ],
    'children’s corner': [
      [LEILA, 'The beanbags are back from the cleaner’s, all four.'],
      [JUN, 'And already occupied.'],
    ],
    'Saturday rush': [
      [IMANI, 'We need three at the counter from 11 to 2. The cruise ship is in.'],
      [JUN, 'I take the back till.'],
      [PIOTR, 'Front.'],
      [CLARA, 'I walk the floor and answer “do you have the blue one”.', 'joy', IMANI, PIOTR],
    ],
    'wrapping paper': [
      [CLARA, 'We are down to two rolls of the map paper.'],
      [ADA, 'Ten are ordered, they arrive on Thursday with the van.'],
    ],
  },
  'new titles': {
    'autumn list': [
      [
        CLARA,
        'My picks from the autumn list:\n\n1. *The Salt Path*, 12 copies\n2. *Small Things Like These*, 10 copies\n3. *Cloud Cuckoo Land*, 6 copies',
      ],
      [ADA, 'Take 20 of the second one. The reading group has chosen it.'],
      [CLARA, 'Twenty it is.', 'check', ADA],
    ],
    'poetry shelf': [
      [IMANI, 'Poetry has sold better than cookery this month. Nobody is more surprised than me.'],
      [
        CLARA,
        'I moved it beside the door. People read one while they wait for the rain to stop, and then they want the rest.',
        'eyes',
        ADA,
      ],
    ],
    translations: [
      [LEILA, 'Could we give translators a place on the shelf cards? Their names, at least.'],
      [ADA, 'Yes. Please draft one, and we print them for the whole table.'],
      [LEILA, 'Draft for the first twenty is in the back office.'],
    ],
    returns: [
      [PIOTR, 'Returns to Quay Press: 34 copies, € 287.40, picked up on Friday.'],
      [TOMAS, 'Booked.'],
    ],
    'proofs to give away': [
      [CLARA, 'Nine proofs in the box under the stairs. First come, first read.'],
      [JUN, 'I took the one about octopuses.'],
      [RAVI, 'There was one about octopuses?!', 'joy', JUN, CLARA],
    ],
    'signed copies': [
      [ADA, 'Forty signed copies arrive tomorrow. @**Tomás Herrera** can the web shop sell them separately?'],
      [TOMAS, 'Yes, as an edition of their own with a limit of two for each customer.'],
      [ADA, 'Perfect.', 'thumbs_up', TOMAS],
    ],
  },
  'web shop': {
    'checkout errors': [
      [
        RAVI,
        'Between 9:12 and 9:40 the payment provider answered `502`. 14 orders were affected, none was charged twice.',
      ],
      [TOMAS, 'Did the retry work?'],
      [
        RAVI,
        'For 12 of them. I have written to the other two customers.\n\n```\n09:12:04 WARN  payment took 8012 ms, retrying\n09:12:09 WARN  payment answered 502\n09:14:31 INFO  payment accepted on attempt 3\n```',
      ],
      [TOMAS, 'Good. I will add the two to tomorrow’s check.', 'thumbs_up', RAVI],
    ],
    'search results': [
      [JUN, 'Searching for “lighthouse” finds a book about lightbulbs first.'],
      [RAVI, 'Stemming. “Light” wins over the whole word. A fix is in review.'],
      [RAVI, 'It is live now. “Lighthouse” finds lighthouses.', 'tada', JUN, TOMAS],
    ],
    'release 4.2': [
      [
        TOMAS,
        'What is left for 4.2:\n\n* gift cards by e-mail\n* opening hours on public holidays\n* ~~search for ISBN with hyphens~~',
      ],
      [RAVI, 'Gift cards are merged in `7e1c0d4`. Opening hours need the new footer.'],
      [TOMAS, 'Then we release on Thursday, before the van and not after it.'],
    ],
    'newsletter sign-up': [
      [IMANI, 'The confirmation mail lands in spam at one provider.'],
      [RAVI, 'The DKIM record had the old key. It is corrected, and needs an hour.'],
      [IMANI, 'Mine arrived in the inbox. Thank you!', 'heart', RAVI],
    ],
    'slow product pages': [
      [
        TOMAS,
        'Median of the product page: 1.9 s before, 0.6 s after the smaller cover pictures.',
        'rocket',
        RAVI,
        IMANI,
        ADA,
      ],
      [ADA, 'I thought my new laptop was simply that good.'],
    ],
  },
  deliveries: {
    'Thursday van': [
      [PIOTR, 'The van is 40 minutes late, the driver called from the bridge.'],
      [IMANI, 'Then I unpack with you after lunch.'],
      [PIOTR, '18 boxes, all there.', 'check', IMANI],
    ],
    'damaged boxes': [
      [JUN, 'Two boxes were wet, seven books in them are waste.'],
      [TOMAS, 'Please take pictures before you throw anything away. The carrier pays only with pictures.'],
      [JUN, 'Taken and sent.'],
    ],
    'carrier contract': [
      [ADA, 'They offer 4 % off if we sign for two years. I do not want two years.'],
      [TOMAS, 'One year at 2 % is still better than what we have.'],
      [ADA, 'Agreed. I call them tomorrow.'],
    ],
    'click and collect': [
      [LEILA, '23 orders to collect today, the shelf behind the till is full.'],
      [PIOTR, 'I have put the overflow into the second drawer, sorted by name.'],
    ],
    'island orders': [
      [IMANI, 'The ferry does not run on Sunday, so parcels for the island go out on Friday at noon.'],
      [RAVI, 'The shop says so at checkout now.', 'thumbs_up', IMANI],
    ],
  },
  events: {
    'harbour festival': [
      [ADA, 'We have the small stage on Saturday from 2 to 5.'],
      [NORA, 'Two of our authors can come. Shall I ask for books to be sent to you or to the stage?'],
      [ADA, 'To us please, we bring them over by cart.'],
      [CLARA, 'I drive the cart. I have always wanted to drive the cart.', 'joy', ADA, LEILA, NORA],
    ],
    'poetry night': [
      [LEILA, '62 people have signed up, and the back room takes 60.'],
      [IMANI, 'Two always stay at the bar.'],
    ],
    'school visits': [
      [CLARA, 'Year 4 comes on Tuesday at ten. 26 children, two teachers.'],
      [LEILA, 'I read from the fox book, and they may stamp their own bookmarks.', 'heart', CLARA, IMANI],
    ],
    'author dinner': [
      [NORA, 'Our author is vegetarian, and afraid of oysters.'],
      [ADA, 'So am I. A table for six at the Anchor, 8 pm.', 'thumbs_up', NORA],
    ],
    'chairs and microphones': [
      [TOMAS, 'We need 40 chairs and a second microphone.'],
      [IMANI, 'The church lends us the chairs. The microphone is in the cellar, behind the globe.'],
    ],
  },
  'reading group': {
    'next book': [
      [
        IMANI,
        '/poll Which book is next?\nSmall Things Like These\nThe Left Hand of Darkness\nMy Brilliant Friend',
      ],
      [LEILA, 'I can live with any of them, as long as it is shorter than the last one.'],
      [RAVI, 'The last one had 914 pages and **no** chapters.', 'joy', LEILA, JUN, CLARA],
    ],
    'this month': [
      [CLARA, 'We meet on Tuesday at 7, back room.'],
      [JUN, 'I am on page 200 and trust nobody.', 'eyes', CLARA, IMANI],
    ],
    'who brings what': [
      [LEILA, 'I bring olives.'],
      [RAVI, 'Bread and the big knife.'],
      [ADA, 'Wine, then.', 'tada', LEILA, RAVI],
    ],
    'spoilers welcome': [
      [JUN, 'It was the sister. ||She had the letters all along.||'],
      [CLARA, 'I knew it in chapter three. Nobody believed me.'],
    ],
  },
  'customer letters': {
    'out of print': [
      [JUN, 'A customer looks for a 1962 guide to knots. It is out of print.'],
      [LEILA, 'The chandler on Net Lane has one in the window.'],
      [
        JUN,
        'She has it now, and says we are the best bookshop that did not sell her a book.',
        'heart',
        LEILA,
        IMANI,
      ],
    ],
    'gift cards': [
      [IMANI, 'A customer asks whether gift cards expire.'],
      [TOMAS, 'They do not. I have put it on the back of the card and on the page.'],
    ],
    'late parcels': [
      [
        RAVI,
        'Three letters about parcels from Monday. They were stuck at the depot, and are out for delivery.',
      ],
      [PIOTR, 'I write to all three.'],
    ],
    'thank-you notes': [
      [
        IMANI,
        '> You found the book my grandmother read to me, from “a green cover and a heron”. Thank you.',
        'heart',
        TOMAS,
        JUN,
        LEILA,
        PIOTR,
      ],
      [LEILA, 'That goes on the wall.'],
    ],
    'school orders': [
      [JUN, 'The grammar school wants 120 atlases by September.'],
      [TOMAS, 'I have a price from two publishers and decide on Friday.'],
    ],
  },
  building: {
    'roof leak': [
      [JUN, 'It drips on the travel shelf again. I moved the lower two rows.'],
      [PIOTR, 'The roofer comes tomorrow between 8 and 10.'],
      [ADA, '@**Ravi Menon** could you let them in? I am at the bank until ten.'],
      [RAVI, 'Yes, I am there from half past seven.', 'thumbs_up', ADA],
    ],
    heating: [
      [
        TOMAS,
        'The boiler is set to 19 °C. Please do not turn the valve in the hall, it is the only one that leaks.',
      ],
      [PIOTR, 'I have put a note on it.'],
    ],
    'lift inspection': [
      [ADA, 'The lift passed its inspection. The next one is due in a year.'],
      [JUN, 'I celebrate by taking the stairs.'],
    ],
    'new shelves': [
      [PIOTR, 'Offer for oak: € 140 a metre. For birch: € 95.'],
      [ADA, 'Birch. Nobody has ever bought a shelf from us.', 'joy', PIOTR, TOMAS],
    ],
    'front door': [
      [RAVI, 'The door sticks when it rains.'],
      [TOMAS, 'So every day. The carpenter planes it on Monday.'],
    ],
  },
  accounts: {
    quarter: [
      [TOMAS, 'Third quarter: € 218,400, which is 6 % up. The web shop is 31 % of it.'],
      [ADA, 'Thank you. I take that to the bank tomorrow.', 'tada', IMANI, TOMAS],
    ],
    'supplier terms': [
      [IMANI, 'Two publishers moved us from 30 to 45 days.'],
      [TOMAS, 'That covers the December stock.'],
    ],
    rent: [
      [
        ADA,
        'The landlord wants 3 % more from January. I offered two, and a reading for his daughter’s class.',
      ],
      [IMANI, 'And?'],
      [ADA, 'He took the reading.', 'joy', IMANI, TOMAS],
    ],
    'till differences': [
      [TOMAS, '€ 12.50 short on Tuesday, € 12.50 over on Wednesday.'],
      [IMANI, 'One stamp book, sold on the wrong day. It is mine.'],
    ],
  },
}

/** The last lines of direct conversations, in the order of `DEMO_DIRECT`. */
export const DIRECT_SCENES: readonly (readonly SceneLine[])[] = [
  [
    [TOMAS, 'The bank asks for the figures of the last three years.'],
    [ADA, 'They are in the green folder. I bring it tomorrow.', 'thumbs_up', TOMAS],
  ],
  [
    [IMANI, 'Do you have five minutes for the December rota?'],
    [ADA, 'After lunch?'],
    [IMANI, 'Perfect. I bring the plan, you bring the biscuits.'],
  ],
  [
    [CLARA, 'The author of the lighthouse book would read here in November.'],
    [ADA, 'Yes! Please ask for the second week.', 'tada', CLARA],
  ],
  [
    [LEILA, 'The sea is warm and I have not opened a book for two days.'],
    [IMANI, 'Who are you, and what have you done with Leila?', 'joy', LEILA],
  ],
  [
    [JUN, 'Is the ladder in the cellar?'],
    [PIOTR, 'Behind the boiler. Mind the third rung.'],
  ],
  [
    [RAVI, 'Could you look at my branch before four?'],
    [TOMAS, 'Looking now. Two small remarks, otherwise good to merge.'],
  ],
  [
    [NORA, 'Shall I send you 30 or 40 copies for the festival?'],
    [CLARA, '40, please. It did not rain last year, and we regretted it.'],
  ],
  [
    [ADA, 'Shall the three of us meet on Thursday about next year’s budget?'],
    [TOMAS, '10 o’clock?'],
    [IMANI, 'Fine with me.', 'check', ADA],
  ],
  [
    [RAVI, 'Lunch at the fish stall?'],
    [JUN, 'Twelve thirty.'],
    [PIOTR, 'I hold a table.', 'thumbs_up', RAVI, JUN],
  ],
  [
    [CLARA, 'The poster for poetry night is at the printer’s.'],
    [LEILA, 'It looks wonderful. The heron!', 'heart', CLARA],
  ],
]
