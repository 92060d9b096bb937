// Written by scripts/build-emoji-table.ts; do not edit.
/** One emoji a line: its code, then its names, the preferred one first. */
export const emojiTable = `0023-20e3 hash keycap_number_sign
002a-20e3 asterisk keycap_asterisk
0030-20e3 zero keycap_0
0031-20e3 one keycap_1
0032-20e3 two keycap_2
0033-20e3 three keycap_3
0034-20e3 four keycap_4
0035-20e3 five keycap_5
0036-20e3 six keycap_6
0037-20e3 seven keycap_7
0038-20e3 eight keycap_8
0039-20e3 nine keycap_9
00a9 copyright
00ae registered
1f004 mahjong mahjong_red_dragon
1f0cf joker
1f170 a a_button
1f171 b b_button
1f17e o o_button
1f17f parking p p_button
1f18e ab ab_button
1f191 cl cl_button
1f192 cool cool_button
1f193 free free_button
1f194 id id_button
1f195 new new_button
1f196 ng ng_button
1f197 squared_ok ok_button
1f198 sos sos_button
1f199 squared_up
1f19a vs vs_button
1f1e6-1f1e8 flag_ascension_island
1f1e6-1f1e9 flag_andorra
1f1e6-1f1ea flag_united_arab_emirates
1f1e6-1f1eb flag_afghanistan
1f1e6-1f1ec flag_antigua_barbuda
1f1e6-1f1ee flag_anguilla
1f1e6-1f1f1 flag_albania
1f1e6-1f1f2 flag_armenia
1f1e6-1f1f4 flag_angola
1f1e6-1f1f6 flag_antarctica
1f1e6-1f1f7 flag_argentina
1f1e6-1f1f8 flag_american_samoa
1f1e6-1f1f9 flag_austria
1f1e6-1f1fa flag_australia
1f1e6-1f1fc flag_aruba
1f1e6-1f1fd flag_aland_islands
1f1e6-1f1ff flag_azerbaijan
1f1e7-1f1e6 flag_bosnia_herzegovina
1f1e7-1f1e7 flag_barbados
1f1e7-1f1e9 flag_bangladesh
1f1e7-1f1ea flag_belgium
1f1e7-1f1eb flag_burkina_faso
1f1e7-1f1ec flag_bulgaria
1f1e7-1f1ed flag_bahrain
1f1e7-1f1ee flag_burundi
1f1e7-1f1ef flag_benin
1f1e7-1f1f1 flag_st_barthelemy
1f1e7-1f1f2 flag_bermuda
1f1e7-1f1f3 flag_brunei
1f1e7-1f1f4 flag_bolivia
1f1e7-1f1f6 flag_caribbean_netherlands
1f1e7-1f1f7 flag_brazil
1f1e7-1f1f8 flag_bahamas
1f1e7-1f1f9 flag_bhutan
1f1e7-1f1fb flag_bouvet_island
1f1e7-1f1fc flag_botswana
1f1e7-1f1fe flag_belarus
1f1e7-1f1ff flag_belize
1f1e8-1f1e6 flag_canada
1f1e8-1f1e8 flag_cocos_islands
1f1e8-1f1e9 flag_congo_kinshasa
1f1e8-1f1eb flag_central_african_republic
1f1e8-1f1ec flag_congo_brazzaville
1f1e8-1f1ed flag_switzerland
1f1e8-1f1ee flag_cote_d_ivoire
1f1e8-1f1f0 flag_cook_islands
1f1e8-1f1f1 flag_chile
1f1e8-1f1f2 flag_cameroon
1f1e8-1f1f3 flag_china
1f1e8-1f1f4 flag_colombia
1f1e8-1f1f5 flag_clipperton_island
1f1e8-1f1f6 flag_sark
1f1e8-1f1f7 flag_costa_rica
1f1e8-1f1fa flag_cuba
1f1e8-1f1fb flag_cape_verde
1f1e8-1f1fc flag_curacao
1f1e8-1f1fd flag_christmas_island
1f1e8-1f1fe flag_cyprus
1f1e8-1f1ff flag_czechia
1f1e9-1f1ea flag_germany
1f1e9-1f1ec flag_diego_garcia
1f1e9-1f1ef flag_djibouti
1f1e9-1f1f0 flag_denmark
1f1e9-1f1f2 flag_dominica
1f1e9-1f1f4 flag_dominican_republic
1f1e9-1f1ff flag_algeria
1f1ea-1f1e6 flag_ceuta_melilla
1f1ea-1f1e8 flag_ecuador
1f1ea-1f1ea flag_estonia
1f1ea-1f1ec flag_egypt
1f1ea-1f1ed flag_western_sahara
1f1ea-1f1f7 flag_eritrea
1f1ea-1f1f8 flag_spain
1f1ea-1f1f9 flag_ethiopia
1f1ea-1f1fa flag_european_union
1f1eb-1f1ee flag_finland
1f1eb-1f1ef flag_fiji
1f1eb-1f1f0 flag_falkland_islands
1f1eb-1f1f2 flag_micronesia
1f1eb-1f1f4 flag_faroe_islands
1f1eb-1f1f7 flag_france
1f1ec-1f1e6 flag_gabon
1f1ec-1f1e7 flag_united_kingdom
1f1ec-1f1e9 flag_grenada
1f1ec-1f1ea flag_georgia
1f1ec-1f1eb flag_french_guiana
1f1ec-1f1ec flag_guernsey
1f1ec-1f1ed flag_ghana
1f1ec-1f1ee flag_gibraltar
1f1ec-1f1f1 flag_greenland
1f1ec-1f1f2 flag_gambia
1f1ec-1f1f3 flag_guinea
1f1ec-1f1f5 flag_guadeloupe
1f1ec-1f1f6 flag_equatorial_guinea
1f1ec-1f1f7 flag_greece
1f1ec-1f1f8 flag_south_georgia_south_sandwich_islands
1f1ec-1f1f9 flag_guatemala
1f1ec-1f1fa flag_guam
1f1ec-1f1fc flag_guinea_bissau
1f1ec-1f1fe flag_guyana
1f1ed-1f1f0 flag_hong_kong_sar_china
1f1ed-1f1f2 flag_heard_mcdonald_islands
1f1ed-1f1f3 flag_honduras
1f1ed-1f1f7 flag_croatia
1f1ed-1f1f9 flag_haiti
1f1ed-1f1fa flag_hungary
1f1ee-1f1e8 flag_canary_islands
1f1ee-1f1e9 flag_indonesia
1f1ee-1f1ea flag_ireland
1f1ee-1f1f1 flag_israel
1f1ee-1f1f2 flag_isle_of_man
1f1ee-1f1f3 flag_india
1f1ee-1f1f4 flag_british_indian_ocean_territory
1f1ee-1f1f6 flag_iraq
1f1ee-1f1f7 flag_iran
1f1ee-1f1f8 flag_iceland
1f1ee-1f1f9 flag_italy
1f1ef-1f1ea flag_jersey
1f1ef-1f1f2 flag_jamaica
1f1ef-1f1f4 flag_jordan
1f1ef-1f1f5 flag_japan
1f1f0-1f1ea flag_kenya
1f1f0-1f1ec flag_kyrgyzstan
1f1f0-1f1ed flag_cambodia
1f1f0-1f1ee flag_kiribati
1f1f0-1f1f2 flag_comoros
1f1f0-1f1f3 flag_st_kitts_nevis
1f1f0-1f1f5 flag_north_korea
1f1f0-1f1f7 flag_south_korea
1f1f0-1f1fc flag_kuwait
1f1f0-1f1fe flag_cayman_islands
1f1f0-1f1ff flag_kazakhstan
1f1f1-1f1e6 flag_laos
1f1f1-1f1e7 flag_lebanon
1f1f1-1f1e8 flag_st_lucia
1f1f1-1f1ee flag_liechtenstein
1f1f1-1f1f0 flag_sri_lanka
1f1f1-1f1f7 flag_liberia
1f1f1-1f1f8 flag_lesotho
1f1f1-1f1f9 flag_lithuania
1f1f1-1f1fa flag_luxembourg
1f1f1-1f1fb flag_latvia
1f1f1-1f1fe flag_libya
1f1f2-1f1e6 flag_morocco
1f1f2-1f1e8 flag_monaco
1f1f2-1f1e9 flag_moldova
1f1f2-1f1ea flag_montenegro
1f1f2-1f1eb flag_st_martin
1f1f2-1f1ec flag_madagascar
1f1f2-1f1ed flag_marshall_islands
1f1f2-1f1f0 flag_north_macedonia
1f1f2-1f1f1 flag_mali
1f1f2-1f1f2 flag_myanmar
1f1f2-1f1f3 flag_mongolia
1f1f2-1f1f4 flag_macao_sar_china
1f1f2-1f1f5 flag_northern_mariana_islands
1f1f2-1f1f6 flag_martinique
1f1f2-1f1f7 flag_mauritania
1f1f2-1f1f8 flag_montserrat
1f1f2-1f1f9 flag_malta
1f1f2-1f1fa flag_mauritius
1f1f2-1f1fb flag_maldives
1f1f2-1f1fc flag_malawi
1f1f2-1f1fd flag_mexico
1f1f2-1f1fe flag_malaysia
1f1f2-1f1ff flag_mozambique
1f1f3-1f1e6 flag_namibia
1f1f3-1f1e8 flag_new_caledonia
1f1f3-1f1ea flag_niger
1f1f3-1f1eb flag_norfolk_island
1f1f3-1f1ec flag_nigeria
1f1f3-1f1ee flag_nicaragua
1f1f3-1f1f1 flag_netherlands
1f1f3-1f1f4 flag_norway
1f1f3-1f1f5 flag_nepal
1f1f3-1f1f7 flag_nauru
1f1f3-1f1fa flag_niue
1f1f3-1f1ff flag_new_zealand
1f1f4-1f1f2 flag_oman
1f1f5-1f1e6 flag_panama
1f1f5-1f1ea flag_peru
1f1f5-1f1eb flag_french_polynesia
1f1f5-1f1ec flag_papua_new_guinea
1f1f5-1f1ed flag_philippines
1f1f5-1f1f0 flag_pakistan
1f1f5-1f1f1 flag_poland
1f1f5-1f1f2 flag_st_pierre_miquelon
1f1f5-1f1f3 flag_pitcairn_islands
1f1f5-1f1f7 flag_puerto_rico
1f1f5-1f1f8 flag_palestinian_territories
1f1f5-1f1f9 flag_portugal
1f1f5-1f1fc flag_palau
1f1f5-1f1fe flag_paraguay
1f1f6-1f1e6 flag_qatar
1f1f7-1f1ea flag_reunion
1f1f7-1f1f4 flag_romania
1f1f7-1f1f8 flag_serbia
1f1f7-1f1fa flag_russia
1f1f7-1f1fc flag_rwanda
1f1f8-1f1e6 flag_saudi_arabia
1f1f8-1f1e7 flag_solomon_islands
1f1f8-1f1e8 flag_seychelles
1f1f8-1f1e9 flag_sudan
1f1f8-1f1ea flag_sweden
1f1f8-1f1ec flag_singapore
1f1f8-1f1ed flag_st_helena
1f1f8-1f1ee flag_slovenia
1f1f8-1f1ef flag_svalbard_jan_mayen
1f1f8-1f1f0 flag_slovakia
1f1f8-1f1f1 flag_sierra_leone
1f1f8-1f1f2 flag_san_marino
1f1f8-1f1f3 flag_senegal
1f1f8-1f1f4 flag_somalia
1f1f8-1f1f7 flag_suriname
1f1f8-1f1f8 flag_south_sudan
1f1f8-1f1f9 flag_sao_tome_principe
1f1f8-1f1fb flag_el_salvador
1f1f8-1f1fd flag_sint_maarten
1f1f8-1f1fe flag_syria
1f1f8-1f1ff flag_eswatini
1f1f9-1f1e6 flag_tristan_da_cunha
1f1f9-1f1e8 flag_turks_caicos_islands
1f1f9-1f1e9 flag_chad
1f1f9-1f1eb flag_french_southern_territories
1f1f9-1f1ec flag_togo
1f1f9-1f1ed flag_thailand
1f1f9-1f1ef flag_tajikistan
1f1f9-1f1f0 flag_tokelau
1f1f9-1f1f1 flag_timor_leste
1f1f9-1f1f2 flag_turkmenistan
1f1f9-1f1f3 flag_tunisia
1f1f9-1f1f4 flag_tonga
1f1f9-1f1f7 flag_turkiye
1f1f9-1f1f9 flag_trinidad_tobago
1f1f9-1f1fb flag_tuvalu
1f1f9-1f1fc flag_taiwan
1f1f9-1f1ff flag_tanzania
1f1fa-1f1e6 flag_ukraine
1f1fa-1f1ec flag_uganda
1f1fa-1f1f2 flag_u_s_outlying_islands
1f1fa-1f1f3 flag_united_nations
1f1fa-1f1f8 flag_united_states
1f1fa-1f1fe flag_uruguay
1f1fa-1f1ff flag_uzbekistan
1f1fb-1f1e6 flag_vatican_city
1f1fb-1f1e8 flag_st_vincent_grenadines
1f1fb-1f1ea flag_venezuela
1f1fb-1f1ec flag_british_virgin_islands
1f1fb-1f1ee flag_u_s_virgin_islands
1f1fb-1f1f3 flag_vietnam
1f1fb-1f1fa flag_vanuatu
1f1fc-1f1eb flag_wallis_futuna
1f1fc-1f1f8 flag_samoa
1f1fd-1f1f0 flag_kosovo
1f1fe-1f1ea flag_yemen
1f1fe-1f1f9 flag_mayotte
1f1ff-1f1e6 flag_south_africa
1f1ff-1f1f2 flag_zambia
1f1ff-1f1fc flag_zimbabwe
1f201 japanese_here_button
1f202 japanese_service_charge_button
1f21a japanese_free_of_charge_button u7121
1f22f japanese_reserved_button
1f232 japanese_prohibited_button u7981
1f233 japanese_vacancy_button
1f234 japanese_passing_grade_button u5408
1f235 japanese_no_vacancy_button u6e80
1f236 japanese_not_free_of_charge_button u6709
1f237 japanese_monthly_amount_button u6708
1f238 japanese_application_button u7533
1f239 japanese_discount_button u5272
1f23a japanese_open_for_business_button u55b6
1f250 japanese_bargain_button ideograph_advantage
1f251 japanese_acceptable_button accept
1f300 cyclone hurricane typhoon
1f301 foggy
1f302 closed_umbrella
1f303 night night_with_stars
1f304 mountain_sunrise sunrise_over_mountains
1f305 sunrise ocean_sunrise
1f306 sunset cityscape_at_dusk
1f307 city_sunrise
1f308 rainbow pride lgbtq
1f309 bridge bridge_at_night
1f30a ocean water_wave
1f30b volcano
1f30c milky_way night_sky
1f30d earth_africa globe_showing_europe_africa
1f30e earth_americas globe_showing_americas
1f30f earth_asia globe_showing_asia_australia
1f310 www globe globe_with_meridians
1f311 new_moon
1f312 waxing_crescent_moon
1f313 first_quarter_moon
1f314 waxing_moon waxing_gibbous_moon
1f315 full_moon
1f316 waning_gibbous_moon
1f317 last_quarter_moon
1f318 waning_crescent_moon
1f319 moon crescent_moon
1f31a new_moon_face
1f31b goodnight first_quarter_moon_face
1f31c last_quarter_moon_face
1f31d moon_face full_moon_face
1f31e sun_face sun_with_face
1f31f glowing_star
1f320 shooting_star wish
1f321 temperature thermometer warm
1f324 mostly_sunny sun_behind_small_cloud
1f325 cloudy sun_behind_large_cloud
1f326 sunshowers sun_and_rain partly_sunny_with_rain sun_behind_rain_cloud
1f327 rainy soaked drenched cloud_with_rain
1f328 snowy snowstorm cloud_with_snow
1f329 lightning lightning_storm cloud_with_lightning
1f32a tornado
1f32b fog hazy
1f32c windy mother_nature wind_face
1f32d hotdog hot_dog
1f32e taco
1f32f burrito
1f330 chestnut
1f331 seedling sprout
1f332 evergreen_tree
1f333 tree deciduous_tree
1f334 palm_tree
1f335 cactus
1f336 hot_pepper chili_pepper
1f337 tulip flower
1f338 cherry_blossom
1f339 rose
1f33a hibiscus
1f33b sunflower
1f33c blossom
1f33d corn maize ear_of_corn
1f33e harvest ear_of_rice sheaf_of_rice
1f33f herb plant
1f340 lucky four_leaf_clover
1f341 maple_leaf
1f342 fallen_leaf
1f343 leaves wind fall leaf_fluttering_in_wind
1f344 mushroom
1f344-200d-1f7eb brown_mushroom
1f345 tomato
1f346 eggplant
1f347 grapes
1f348 melon
1f349 watermelon
1f34a orange tangerine mandarin
1f34b lemon
1f34b-200d-1f7e9 lime
1f34c banana
1f34d pineapple
1f34e apple red_apple
1f34f green_apple
1f350 pear
1f351 peach
1f352 cherries
1f353 strawberry
1f354 hamburger
1f355 pizza
1f356 meat meat_on_bone
1f357 drumstick poultry poultry_leg
1f358 senbei rice_cracker
1f359 onigiri rice_ball
1f35a rice cooked_rice
1f35b curry curry_rice
1f35c ramen noodles steaming_bowl
1f35d spaghetti
1f35e bread
1f35f fries french_fries
1f360 yam sweet_potato roasted_sweet_potato
1f361 dango
1f362 oden
1f363 sushi
1f364 tempura fried_shrimp
1f365 naruto fish_cake_with_swirl
1f366 soft_serve soft_ice_cream
1f367 shaved_ice
1f368 ice_cream gelato
1f369 donut doughnut
1f36a cookie
1f36b chocolate chocolate_bar
1f36c candy
1f36d lollipop
1f36e custard flan
1f36f honey honey_pot
1f370 cake shortcake
1f371 bento bento_box
1f372 food soup stew pot_of_food
1f373 cooking
1f374 fork_and_knife eating_utensils
1f375 tea teacup_without_handle
1f376 sake
1f377 wine wine_glass
1f378 cocktail cocktail_glass
1f379 tropical_drink
1f37a beer beer_mug
1f37b beers clinking_beer_mugs
1f37c baby_bottle
1f37d hungry meal table_setting fork_and_knife_with_plate lets_eat
1f37e champagne bottle_with_popping_cork
1f37f popcorn
1f380 ribbon decoration
1f381 gift present wrapped_gift
1f382 birthday birthday_cake
1f383 jack-o-lantern pumpkin jack_o_lantern
1f384 holiday_tree christmas_tree
1f385 santa santa_claus
1f386 fireworks
1f387 sparkler
1f388 balloon celebration
1f389 tada party_popper
1f38a confetti party_ball confetti_ball
1f38b wish_tree tanabata_tree
1f38c crossed_flags solidarity
1f38d bamboo pine_decoration
1f38e dolls japanese_dolls
1f38f carp_streamer flags
1f390 wind_chime
1f391 moon_ceremony moon_viewing_ceremony
1f392 backpack satchel
1f393 graduate mortar_board graduation_cap
1f396 military_medal
1f397 reminder_ribbon
1f399 studio_microphone
1f39a volume level_slider
1f39b control_knobs
1f39e film film_frames
1f39f ticket admission_tickets
1f3a0 carousel merry_go_round carousel_horse
1f3a1 ferris_wheel
1f3a2 roller_coaster
1f3a3 fishing fishing_pole
1f3a4 microphone mike mic
1f3a5 movie_camera
1f3a6 cinema movie_theater
1f3a7 headphones headphone
1f3a8 art palette painting artist_palette
1f3a9 top_hat
1f3aa circus circus_tent
1f3ab pass
1f3ac action clapper_board
1f3ad performing_arts drama theater
1f3ae video_game
1f3af direct_hit darts bulls_eye bullseye
1f3b0 slot_machine
1f3b1 billiards pool 8_ball pool_8_ball
1f3b2 dice die game_die
1f3b3 strike bowling
1f3b4 playing_cards flower_playing_cards
1f3b5 music musical_note
1f3b6 musical_notes
1f3b7 saxophone
1f3b8 guitar
1f3b9 piano musical_keyboard
1f3ba trumpet
1f3bb violin
1f3bc musical_score
1f3bd running_shirt
1f3be tennis
1f3bf ski skis
1f3c0 basketball
1f3c1 checkered_flag race go start chequered_flag
1f3c2 snowboarder
1f3c3 running runner person_running
1f3c3-200d-2640-fe0f woman_running
1f3c3-200d-2640-fe0f-200d-27a1-fe0f woman_running_facing_right
1f3c3-200d-2642-fe0f man_running
1f3c3-200d-2642-fe0f-200d-27a1-fe0f man_running_facing_right
1f3c3-200d-27a1-fe0f person_running_facing_right
1f3c4 surf person_surfing
1f3c4-200d-2640-fe0f woman_surfing
1f3c4-200d-2642-fe0f man_surfing
1f3c5 medal sports_medal
1f3c6 trophy winner
1f3c7 horse_racing horse_riding
1f3c8 american_football
1f3c9 rugby rugby_football
1f3ca swim person_swimming
1f3ca-200d-2640-fe0f woman_swimming
1f3ca-200d-2642-fe0f man_swimming
1f3cb lift work_out weight_lift gym person_lifting_weights
1f3cb-fe0f-200d-2640-fe0f woman_lifting_weights
1f3cb-fe0f-200d-2642-fe0f man_lifting_weights
1f3cc golf person_golfing
1f3cc-fe0f-200d-2640-fe0f woman_golfing
1f3cc-fe0f-200d-2642-fe0f man_golfing
1f3cd motorcycle
1f3ce racecar racing_car
1f3cf cricket cricket_bat cricket_game
1f3d0 volleyball
1f3d1 field_hockey
1f3d2 ice_hockey
1f3d3 ping_pong table_tennis
1f3d4 snowy_mountain snow_capped_mountain
1f3d5 campsite
1f3d6 beach beach_with_umbrella
1f3d7 construction building_construction
1f3d8 houses
1f3d9 city skyline cityscape
1f3da derelict_house condemned
1f3db classical_building
1f3dc desert
1f3dd island desert_island
1f3de national_park
1f3df stadium
1f3e0 house
1f3e1 suburb house_with_garden
1f3e2 office office_building
1f3e3 japan_post japanese_post_office
1f3e4 post_office
1f3e5 hospital
1f3e6 bank
1f3e7 atm atm_sign
1f3e8 hotel
1f3e9 love_hotel
1f3ea convenience_store
1f3eb school
1f3ec department_store
1f3ed factory
1f3ee lantern izakaya_lantern red_paper_lantern
1f3ef shiro japanese_castle
1f3f0 castle
1f3f3 white_flag surrender
1f3f3-fe0f-200d-1f308 rainbow_flag
1f3f3-fe0f-200d-26a7-fe0f transgender_flag
1f3f4 black_flag
1f3f4-200d-2620-fe0f pirate_flag
1f3f4-e0067-e0062-e0065-e006e-e0067-e007f flag_england
1f3f4-e0067-e0062-e0073-e0063-e0074-e007f flag_scotland
1f3f4-e0067-e0062-e0077-e006c-e0073-e007f flag_wales
1f3f5 rosette
1f3f7 label tag price_tag
1f3f8 badminton
1f3f9 bow_and_arrow archery
1f3fa vase amphora
1f400 rat
1f401 mouse
1f402 ox bull
1f403 water_buffalo
1f404 cow
1f405 tiger
1f406 leopard
1f407 rabbit
1f408 cat meow
1f408-200d-2b1b black_cat
1f409 dragon
1f40a crocodile
1f40b humpback_whale
1f40c snail
1f40d snake hiss
1f40e horse
1f40f ram
1f410 goat
1f411 sheep baa ewe
1f412 monkey
1f413 rooster alarm cock-a-doodle-doo
1f414 chicken cluck
1f415 dog woof
1f415-200d-1f9ba service_dog
1f416 pig oink
1f417 boar
1f418 elephant
1f419 octopus
1f41a shell seashell conch spiral_shell
1f41b bug caterpillar
1f41c ant
1f41d bee buzz honeybee
1f41e beetle ladybug lady_beetle
1f41f fish
1f420 tropical_fish
1f421 blowfish
1f422 turtle tortoise
1f423 hatching hatching_chick
1f424 chick baby_chick
1f425 new_baby front_facing_baby_chick
1f426 bird
1f426-200d-1f525 phoenix
1f426-200d-2b1b black_bird
1f427 penguin
1f428 koala
1f429 poodle
1f42a arabian_camel
1f42b camel two_hump_camel
1f42c dolphin flipper
1f42d dormouse mouse_face
1f42e calf cow_face
1f42f tiger_cub tiger_face
1f430 bunny rabbit_face
1f431 kitten cat_face
1f432 dragon_face
1f433 whale spouting_whale
1f434 pony horse_face
1f435 monkey_face
1f436 puppy dog_face
1f437 piglet pig_face
1f438 frog
1f439 hamster
1f43a wolf
1f43b bear
1f43b-200d-2744-fe0f polar_bear
1f43c panda
1f43d pig_nose
1f43e paw_prints paws
1f43f chipmunk
1f440 eyes looking
1f441 eye
1f441-fe0f-200d-1f5e8-fe0f eye_in_speech_bubble
1f442 ear
1f443 nose
1f444 lips mouth
1f445 tongue
1f446 point_up this backhand_index_pointing_up
1f447 point_down backhand_index_pointing_down
1f448 point_left backhand_index_pointing_left
1f449 point_right backhand_index_pointing_right
1f44a fist_bump punch oncoming_fist
1f44b wave hello hi waving_hand
1f44c ok got_it ok_hand
1f44d +1 thumbs_up like
1f44e -1 thumbs_down
1f44f clap applause clapping_hands
1f450 open_hands
1f451 crown queen king
1f452 hat woman_s_hat
1f453 glasses spectacles
1f454 tie necktie
1f455 shirt tshirt t_shirt
1f456 jeans denim
1f457 dress
1f458 kimono
1f459 bikini
1f45a clothing woman_s_clothes
1f45b purse
1f45c handbag
1f45d pouch clutch_bag
1f45e shoe man_s_shoe
1f45f athletic_shoe sneaker running_shoe
1f460 high_heels high_heeled_shoe
1f461 sandal flip_flops woman_s_sandal
1f462 boot woman_s_boot
1f463 footprints feet
1f464 silhouette shadow bust_in_silhouette
1f465 silhouettes shadows busts_in_silhouette
1f466 boy
1f467 girl
1f468 man
1f468-200d-1f33e man_farmer
1f468-200d-1f373 man_cook
1f468-200d-1f37c man_feeding_baby
1f468-200d-1f393 man_student
1f468-200d-1f3a4 man_singer
1f468-200d-1f3a8 man_artist
1f468-200d-1f3eb man_teacher
1f468-200d-1f3ed man_factory_worker
1f468-200d-1f466 family_man_boy
1f468-200d-1f466-200d-1f466 family_man_boy_boy
1f468-200d-1f467 family_man_girl
1f468-200d-1f467-200d-1f466 family_man_girl_boy
1f468-200d-1f467-200d-1f467 family_man_girl_girl
1f468-200d-1f468-200d-1f466 family_man_man_boy
1f468-200d-1f468-200d-1f466-200d-1f466 family_man_man_boy_boy
1f468-200d-1f468-200d-1f467 family_man_man_girl
1f468-200d-1f468-200d-1f467-200d-1f466 family_man_man_girl_boy
1f468-200d-1f468-200d-1f467-200d-1f467 family_man_man_girl_girl
1f468-200d-1f469-200d-1f466 family_man_woman_boy
1f468-200d-1f469-200d-1f466-200d-1f466 family_man_woman_boy_boy
1f468-200d-1f469-200d-1f467 family_man_woman_girl
1f468-200d-1f469-200d-1f467-200d-1f466 family_man_woman_girl_boy
1f468-200d-1f469-200d-1f467-200d-1f467 family_man_woman_girl_girl
1f468-200d-1f4bb man_technologist
1f468-200d-1f4bc man_office_worker
1f468-200d-1f527 man_mechanic
1f468-200d-1f52c man_scientist
1f468-200d-1f680 man_astronaut
1f468-200d-1f692 man_firefighter
1f468-200d-1f9af man_with_white_cane
1f468-200d-1f9af-200d-27a1-fe0f man_with_white_cane_facing_right
1f468-200d-1f9b0 man_red_hair
1f468-200d-1f9b1 man_curly_hair
1f468-200d-1f9b2 man_bald
1f468-200d-1f9b3 man_white_hair
1f468-200d-1f9bc man_in_motorized_wheelchair
1f468-200d-1f9bc-200d-27a1-fe0f man_in_motorized_wheelchair_facing_right
1f468-200d-1f9bd man_in_manual_wheelchair
1f468-200d-1f9bd-200d-27a1-fe0f man_in_manual_wheelchair_facing_right
1f468-200d-2695-fe0f man_health_worker
1f468-200d-2696-fe0f man_judge
1f468-200d-2708-fe0f man_pilot
1f468-200d-2764-fe0f-200d-1f468 couple_with_heart_man_man
1f468-200d-2764-fe0f-200d-1f48b-200d-1f468 kiss_man_man
1f469 woman
1f469-200d-1f33e woman_farmer
1f469-200d-1f373 woman_cook
1f469-200d-1f37c woman_feeding_baby
1f469-200d-1f393 woman_student
1f469-200d-1f3a4 woman_singer
1f469-200d-1f3a8 woman_artist
1f469-200d-1f3eb woman_teacher
1f469-200d-1f3ed woman_factory_worker
1f469-200d-1f466 family_woman_boy
1f469-200d-1f466-200d-1f466 family_woman_boy_boy
1f469-200d-1f467 family_woman_girl
1f469-200d-1f467-200d-1f466 family_woman_girl_boy
1f469-200d-1f467-200d-1f467 family_woman_girl_girl
1f469-200d-1f469-200d-1f466 family_woman_woman_boy
1f469-200d-1f469-200d-1f466-200d-1f466 family_woman_woman_boy_boy
1f469-200d-1f469-200d-1f467 family_woman_woman_girl
1f469-200d-1f469-200d-1f467-200d-1f466 family_woman_woman_girl_boy
1f469-200d-1f469-200d-1f467-200d-1f467 family_woman_woman_girl_girl
1f469-200d-1f4bb woman_technologist
1f469-200d-1f4bc woman_office_worker
1f469-200d-1f527 woman_mechanic
1f469-200d-1f52c woman_scientist
1f469-200d-1f680 woman_astronaut
1f469-200d-1f692 woman_firefighter
1f469-200d-1f9af woman_with_white_cane
1f469-200d-1f9af-200d-27a1-fe0f woman_with_white_cane_facing_right
1f469-200d-1f9b0 woman_red_hair
1f469-200d-1f9b1 woman_curly_hair
1f469-200d-1f9b2 woman_bald
1f469-200d-1f9b3 woman_white_hair
1f469-200d-1f9bc woman_in_motorized_wheelchair
1f469-200d-1f9bc-200d-27a1-fe0f woman_in_motorized_wheelchair_facing_right
1f469-200d-1f9bd woman_in_manual_wheelchair
1f469-200d-1f9bd-200d-27a1-fe0f woman_in_manual_wheelchair_facing_right
1f469-200d-2695-fe0f woman_health_worker
1f469-200d-2696-fe0f woman_judge
1f469-200d-2708-fe0f woman_pilot
1f469-200d-2764-fe0f-200d-1f468 couple_with_heart_woman_man
1f469-200d-2764-fe0f-200d-1f469 couple_with_heart_woman_woman
1f469-200d-2764-fe0f-200d-1f48b-200d-1f468 kiss_woman_man
1f469-200d-2764-fe0f-200d-1f48b-200d-1f469 kiss_woman_woman
1f46a family
1f46b man_and_woman_holding_hands man_and_woman_couple woman_and_man_holding_hands
1f46c two_men_holding_hands men_couple men_holding_hands
1f46d two_women_holding_hands women_couple women_holding_hands
1f46e police cop police_officer
1f46e-200d-2640-fe0f woman_police_officer
1f46e-200d-2642-fe0f man_police_officer
1f46f dancers people_with_bunny_ears
1f46f-200d-2640-fe0f women_with_bunny_ears
1f46f-200d-2642-fe0f men_with_bunny_ears
1f470 bride person_with_veil
1f470-200d-2640-fe0f woman_with_veil
1f470-200d-2642-fe0f man_with_veil
1f471 person_blond_hair
1f471-200d-2640-fe0f woman_blond_hair
1f471-200d-2642-fe0f man_blond_hair
1f472 gua_pi_mao person_with_skullcap
1f473 turban person_wearing_turban
1f473-200d-2640-fe0f woman_wearing_turban
1f473-200d-2642-fe0f man_wearing_turban
1f474 older_man elderly_man old_man
1f475 older_woman elderly_woman old_woman
1f476 baby
1f477 construction_worker
1f477-200d-2640-fe0f woman_construction_worker
1f477-200d-2642-fe0f man_construction_worker
1f478 princess
1f479 ogre
1f47a goblin
1f47b ghost boo spooky haunted
1f47c angel baby_angel
1f47d alien ufo
1f47e space_invader alien_monster
1f47f devil imp angry_devil angry_face_with_horns
1f480 skull
1f481 information_desk_person person_tipping_hand
1f481-200d-2640-fe0f woman_tipping_hand
1f481-200d-2642-fe0f man_tipping_hand
1f482 guard
1f482-200d-2640-fe0f woman_guard
1f482-200d-2642-fe0f man_guard
1f483 dancer woman_dancing
1f484 lipstick
1f485 nail_polish nail_care
1f486 massage person_getting_massage
1f486-200d-2640-fe0f woman_getting_massage
1f486-200d-2642-fe0f man_getting_massage
1f487 haircut person_getting_haircut
1f487-200d-2640-fe0f woman_getting_haircut
1f487-200d-2642-fe0f man_getting_haircut
1f488 barber striped_pole barber_pole
1f489 injection syringe
1f48a medicine pill
1f48b lipstick_kiss kiss_mark
1f48c love_letter
1f48d ring
1f48e gem crystal gem_stone
1f48f couple_kiss
1f490 bouquet
1f491 couple_with_heart
1f492 wedding
1f493 heartbeat beating_heart
1f494 broken_heart heartache
1f495 two_hearts
1f496 sparkling_heart
1f497 heart_pulse growing_heart
1f498 cupid smitten heart_arrow heart_with_arrow
1f499 blue_heart
1f49a green_heart envy
1f49b yellow_heart heart_of_gold
1f49c purple_heart bravery
1f49d gift_heart heart_with_ribbon
1f49e revolving_hearts
1f49f heart_box heart_decoration
1f4a0 cute kawaii diamond_with_a_dot
1f4a1 light_bulb bulb idea
1f4a2 anger bam pow anger_symbol
1f4a3 bomb
1f4a4 zzz
1f4a5 boom explosion crash collision
1f4a6 sweat_drops sweat_droplets
1f4a7 drop water_drop droplet
1f4a8 dash dashing_away
1f4a9 poop pile_of_poo
1f4aa muscle flexed_biceps
1f4ab seeing_stars
1f4ac umm speech_balloon
1f4ad thought dream thought_balloon
1f4ae white_flower
1f4af 100 hundred hundred_points
1f4b0 money money_bag
1f4b1 exchange currency_exchange
1f4b2 dollars heavy_dollar_sign
1f4b3 credit_card debit_card
1f4b4 yen_banknotes yen_banknote
1f4b5 dollar_bills dollar_banknote
1f4b6 euro_banknotes euro_banknote
1f4b7 pound_notes pound_banknote
1f4b8 losing_money easy_come_easy_go money_with_wings
1f4b9 stock_market chart_increasing_with_yen
1f4ba seat
1f4bb computer laptop
1f4bc briefcase
1f4bd gold_record minidisc computer_disk
1f4be floppy_disk
1f4bf cd optical_disk
1f4c0 dvd
1f4c1 organize file_folder
1f4c2 folder open_file_folder
1f4c3 receipt page_with_curl
1f4c4 document paper file page page_facing_up
1f4c5 calendar
1f4c6 date tear_off_calendar
1f4c7 rolodex card_index
1f4c8 chart upwards_trend growing increasing chart_increasing
1f4c9 downwards_trend shrinking decreasing chart_decreasing
1f4ca bar_chart
1f4cb clipboard
1f4cc push_pin thumb_tack pushpin
1f4cd pin sewing_pin round_pushpin
1f4ce paperclip attachment
1f4cf ruler straightedge straight_ruler
1f4d0 carpenter_square triangular_ruler
1f4d1 place_holder bookmark_tabs
1f4d2 ledger spiral_notebook
1f4d3 notebook composition_book
1f4d4 decorative_notebook notebook_with_decorative_cover
1f4d5 red_book closed_book
1f4d6 book open_book
1f4d7 green_book
1f4d8 blue_book
1f4d9 orange_book
1f4da books
1f4db name_badge
1f4dc scroll
1f4dd memo note
1f4de landline home_phone telephone_receiver
1f4df pager
1f4e0 fax fax_machine
1f4e1 satellite_antenna
1f4e2 loudspeaker bullhorn
1f4e3 megaphone shout
1f4e4 outbox outbox_tray
1f4e5 inbox inbox_tray
1f4e6 package
1f4e7 e-mail e_mail
1f4e8 mail_received incoming_envelope
1f4e9 mail_sent sealed envelope_with_arrow
1f4ea closed_mailbox closed_mailbox_with_lowered_flag
1f4eb mailbox closed_mailbox_with_raised_flag
1f4ec unread_mail open_mailbox_with_raised_flag
1f4ed inbox_zero empty_mailbox no_mail open_mailbox_with_lowered_flag
1f4ee mail_dropoff postbox
1f4ef horn postal_horn
1f4f0 headlines
1f4f1 mobile_phone smartphone iphone android
1f4f2 calling mobile_phone_with_arrow
1f4f3 vibration_mode
1f4f4 phone_off mobile_phone_off
1f4f5 no_phones no_mobile_phones
1f4f6 cell_reception signal_strength signal_bars antenna_bars
1f4f7 camera
1f4f8 taking_a_picture say_cheese camera_with_flash
1f4f9 video_camera video_recorder
1f4fa tv television
1f4fb radio
1f4fc vhs videocassette
1f4fd projector movie film_projector
1f4ff prayer_beads
1f500 shuffle shuffle_tracks_button
1f501 repeat repeat_button
1f502 repeat_one repeat_single_button
1f503 clockwise clockwise_vertical_arrows
1f504 counterclockwise return counterclockwise_arrows_button
1f505 low_brightness dim dim_button
1f506 brightness high_brightness bright_button
1f507 mute no_sound muted_speaker
1f508 speaker speaker_low_volume
1f509 softer speaker_medium_volume
1f50a louder sound speaker_high_volume
1f50b battery full_battery
1f50c electric_plug
1f50d search find magnifying_glass magnifying_glass_tilted_left
1f50e magnifying_glass_tilted_right
1f50f privacy key_signing digital_security protected locked_with_pen
1f510 secure lock_with_key safe commitment loyalty locked_with_key
1f511 key
1f512 locked
1f513 unlocked
1f514 notifications bell
1f515 mute_notifications bell_with_slash
1f516 bookmark
1f517 link
1f518 radio_button
1f519 back back_arrow
1f51a end end_arrow
1f51b on on_arrow
1f51c soon soon_arrow
1f51d top top_arrow
1f51e underage nc17 no_one_under_eighteen
1f51f ten keycap_10
1f520 capital_abcd capital_letters input_latin_uppercase
1f521 abcd alphabet input_latin_lowercase
1f522 1234 numbers input_numbers
1f523 symbols input_symbols
1f524 abc input_latin_letters
1f525 fire lit hot flame
1f526 flashlight
1f527 fixing wrench
1f528 hammer maintenance handyman handywoman
1f529 nut_and_bolt screw
1f52a knife hocho betrayed kitchen_knife
1f52b gun water_pistol
1f52c science microscope scientist
1f52d telescope
1f52e crystal_ball oracle future fortune_telling
1f52f dotted_six_pointed_star
1f530 beginner japanese_symbol_for_beginner
1f531 trident trident_emblem
1f532 white_and_black_square black_square_button
1f533 black_and_white_square white_square_button
1f534 red_circle
1f535 blue_circle
1f536 large_orange_diamond
1f537 large_blue_diamond
1f538 small_orange_diamond
1f539 small_blue_diamond
1f53a red_triangle_up red_triangle_pointed_up
1f53b red_triangle_down red_triangle_pointed_down
1f53c upvote up_button increase upwards_button
1f53d downvote down_button decrease downwards_button
1f549 om hinduism
1f54a dove dove_of_peace
1f54b kaaba
1f54c mosque
1f54d synagogue
1f54e menorah
1f550 one_o_clock
1f551 two_o_clock
1f552 three_o_clock
1f553 four_o_clock
1f554 five_o_clock
1f555 six_o_clock
1f556 seven_o_clock
1f557 time clock eight_o_clock
1f558 nine_o_clock
1f559 ten_o_clock
1f55a eleven_o_clock
1f55b twelve_o_clock
1f55c one_thirty
1f55d two_thirty
1f55e three_thirty
1f55f four_thirty
1f560 five_thirty
1f561 six_thirty
1f562 seven_thirty
1f563 eight_thirty
1f564 nine_thirty
1f565 ten_thirty
1f566 eleven_thirty
1f567 twelve_thirty
1f56f candle
1f570 mantelpiece_clock
1f573 hole
1f574 levitating hover person_in_suit_levitating
1f575 detective spy sleuth agent sneaky
1f575-fe0f-200d-2640-fe0f woman_detective
1f575-fe0f-200d-2642-fe0f man_detective
1f576 dark_sunglasses
1f577 spider
1f578 web spider_web
1f579 joystick arcade
1f57a dancing disco man_dancing
1f587 office_supplies paperclip_chain linked linked_paperclips
1f58a pen ballpoint_pen
1f58b fountain_pen
1f58c paintbrush
1f58d crayon
1f590 high_five palm hand_with_fingers_splayed
1f595 middle_finger
1f596 spock live_long_and_prosper vulcan_salute
1f5a4 black_heart
1f5a5 desktop_computer
1f5a8 printer
1f5b1 computer_mouse
1f5b2 trackball
1f5bc picture framed_picture
1f5c2 sort card_index_dividers
1f5c3 archive card_file_box
1f5c4 file_cabinet
1f5d1 wastebasket trash_can
1f5d2 spiral_notepad
1f5d3 spiral_calendar
1f5dc compression vise clamp
1f5dd secret dungeon old_key encrypted clue hint
1f5de newspaper swat rolled_up_newspaper
1f5e1 dagger rated_for_violence
1f5e3 speaking_head
1f5e8 speech_bubble left_speech_bubble
1f5ef anger_bubble right_anger_bubble
1f5f3 ballot_box ballot_box_with_ballot
1f5fa map world_map road_trip
1f5fb mount_fuji
1f5fc tower tokyo_tower
1f5fd statue new_york statue_of_liberty
1f5fe japan map_of_japan
1f5ff rock_carving moyai moai
1f600 grinning happy grinning_face
1f601 grinning_face_with_smiling_eyes beaming_face_with_smiling_eyes
1f602 joy tears laughter_tears face_with_tears_of_joy
1f603 smiley grinning_face_with_big_eyes
1f604 big_smile
1f605 sweat_smile grinning_face_with_sweat
1f606 laughing lol grinning_squinting_face
1f607 innocent halo smiling_face_with_halo
1f608 smiling_devil smiling_imp smiling_face_with_horns
1f609 wink winking_face
1f60a blush smiling_face_with_smiling_eyes
1f60b yum face_savoring_food
1f60c relieved relieved_face
1f60d heart_eyes in_love smiling_face_with_heart_eyes
1f60e sunglasses smiling_face_with_sunglasses
1f60f smirk smug smirking_face
1f610 neutral neutral_face
1f611 expressionless expressionless_face
1f612 unamused unamused_face
1f613 sweat downcast_face_with_sweat
1f614 pensive tired pensive_face
1f615 oh_no half_frown concerned confused confused_face
1f616 confounded agony confounded_face
1f617 kiss kissing_face
1f618 heart_kiss blow_a_kiss face_blowing_a_kiss
1f619 kiss_smiling_eyes kissing_face_with_smiling_eyes
1f61a kiss_with_blush kissing_face_with_closed_eyes
1f61b stuck_out_tongue mischievous face_with_tongue
1f61c stuck_out_tongue_wink joking crazy winking_face_with_tongue
1f61d stuck_out_tongue_closed_eyes squinting_face_with_tongue
1f61e disappointed disappointed_face
1f61f worried worried_face
1f620 angry angry_face
1f621 rage mad grumpy very_angry enraged_face
1f622 cry crying_face
1f623 persevere helpless persevering_face
1f624 triumph face_with_steam_from_nose
1f625 exhausted disappointed_relieved stressed sad_but_relieved_face
1f626 frowning frowning_face_with_open_mouth
1f627 anguished pained anguished_face
1f628 fear scared shock fearful_face
1f629 weary distraught weary_face
1f62a sleepy sleepy_face
1f62b anguish tired_face
1f62c grimacing nervous anxious grimacing_face
1f62d sob loudly_crying_face
1f62e open_mouth surprise face_with_open_mouth
1f62e-200d-1f4a8 face_exhaling
1f62f hushed hushed_face
1f630 cold_sweat anxious_face_with_sweat
1f631 scream face_screaming_in_fear
1f632 astonished astonished_face
1f633 flushed embarrassed blushing flushed_face
1f634 sleeping sleeping_face
1f635 dizzy face_with_crossed_out_eyes
1f635-200d-1f4ab face_with_spiral_eyes
1f636 speechless no_mouth blank poker_face face_without_mouth
1f636-200d-1f32b-fe0f face_in_clouds
1f637 mask face_with_medical_mask
1f638 smile_cat grinning_cat_with_smiling_eyes
1f639 joy_cat cat_with_tears_of_joy
1f63a smiley_cat grinning_cat
1f63b heart_eyes_cat smiling_cat_with_heart_eyes
1f63c smirk_cat smug_cat cat_with_wry_smile
1f63d kissing_cat
1f63e angry_cat pouting_cat
1f63f crying_cat
1f640 scream_cat weary_cat
1f641 frown slight_frown slightly_frowning_face
1f642 smile slightly_smiling_face
1f642-200d-2194-fe0f head_shaking_horizontally
1f642-200d-2195-fe0f head_shaking_vertically
1f643 upside_down oops upside_down_face
1f644 rolling_eyes face_with_rolling_eyes
1f645 no_signal nope person_gesturing_no
1f645-200d-2640-fe0f woman_gesturing_no
1f645-200d-2642-fe0f man_gesturing_no
1f646 ok_signal person_gesturing_ok
1f646-200d-2640-fe0f woman_gesturing_ok
1f646-200d-2642-fe0f man_gesturing_ok
1f647 bow person_bowing
1f647-200d-2640-fe0f woman_bowing
1f647-200d-2642-fe0f man_bowing
1f648 see_no_evil see_no_evil_monkey
1f649 hear_no_evil hear_no_evil_monkey
1f64a speak_no_evil speak_no_evil_monkey
1f64b raising_hand pick_me person_raising_hand
1f64b-200d-2640-fe0f woman_raising_hand
1f64b-200d-2642-fe0f man_raising_hand
1f64c raised_hands praise raising_hands
1f64d person_frowning
1f64d-200d-2640-fe0f woman_frowning
1f64d-200d-2642-fe0f man_frowning
1f64e person_pouting
1f64e-200d-2640-fe0f woman_pouting
1f64e-200d-2642-fe0f man_pouting
1f64f pray welcome thank_you namaste folded_hands
1f680 rocket
1f681 helicopter
1f682 train steam_locomotive locomotive
1f683 railway_car train_car
1f684 high_speed_train
1f685 bullet_train
1f686 oncoming_train
1f687 subway
1f688 light_rail
1f689 station
1f68a oncoming_tram oncoming_streetcar oncoming_trolley
1f68b tram streetcar tram_car
1f68c bus school_bus
1f68d oncoming_bus
1f68e trolley trolleybus
1f68f bus_stop
1f690 minibus
1f691 ambulance
1f692 fire_truck fire_engine
1f693 police_car
1f694 oncoming_police_car
1f695 taxi rideshare
1f696 oncoming_taxi
1f697 car automobile
1f698 oncoming_car oncoming_automobile
1f699 recreational_vehicle jeep sport_utility_vehicle
1f69a moving_truck delivery_truck
1f69b truck tractor-trailer big_rig semi_truck transport_truck articulated_lorry
1f69c tractor
1f69d monorail elevated_train
1f69e mountain_railway
1f69f suspension_railway
1f6a0 gondola mountain_cableway
1f6a1 aerial_tramway ski_lift
1f6a2 ship
1f6a3 rowboat crew sculling rowing person_rowing_boat
1f6a3-200d-2640-fe0f woman_rowing_boat
1f6a3-200d-2642-fe0f man_rowing_boat
1f6a4 speedboat
1f6a5 horizontal_traffic_light
1f6a6 traffic_light vertical_traffic_light
1f6a7 work_in_progress construction_zone
1f6a8 siren rotating_light alert police_car_light
1f6a9 triangular_flag
1f6aa door
1f6ab prohibited not_allowed
1f6ac smoking cigarette
1f6ad no_smoking
1f6ae put_litter_in_its_place litter_in_bin_sign
1f6af do_not_litter no_littering
1f6b0 potable_water tap_water drinking_water
1f6b1 non-potable_water non_potable_water
1f6b2 bike bicycle
1f6b3 no_bicycles
1f6b4 cyclist person_biking
1f6b4-200d-2640-fe0f woman_biking
1f6b4-200d-2642-fe0f man_biking
1f6b5 mountain_biker person_mountain_biking
1f6b5-200d-2640-fe0f woman_mountain_biking
1f6b5-200d-2642-fe0f man_mountain_biking
1f6b6 walking pedestrian person_walking
1f6b6-200d-2640-fe0f woman_walking
1f6b6-200d-2640-fe0f-200d-27a1-fe0f woman_walking_facing_right
1f6b6-200d-2642-fe0f man_walking
1f6b6-200d-2642-fe0f-200d-27a1-fe0f man_walking_facing_right
1f6b6-200d-27a1-fe0f person_walking_facing_right
1f6b7 no_pedestrians
1f6b8 children_crossing school_crossing drive_with_care
1f6b9 mens men_s_room
1f6ba womens women_s_room
1f6bb restroom
1f6bc baby_change_station nursery baby_symbol
1f6bd toilet
1f6be wc water_closet
1f6bf shower
1f6c0 bath person_taking_bath
1f6c1 bathtub
1f6c2 passport_control immigration
1f6c3 customs
1f6c4 baggage_claim
1f6c5 locker locked_bag left_luggage
1f6cb living_room furniture couch_and_lamp lifestyles
1f6cc in_bed accommodations guestrooms person_in_bed
1f6cd shopping_bags
1f6ce bellhop_bell reception services ding
1f6cf bed bedroom
1f6d0 place_of_worship
1f6d1 stop_sign octagonal_sign
1f6d2 shopping_cart shopping_trolley
1f6d5 hindu_temple
1f6d6 hut
1f6d7 elevator
1f6d8 landslide
1f6dc wireless
1f6dd playground_slide
1f6de wheel
1f6df ring_buoy
1f6e0 working_on_it hammer_and_wrench tools
1f6e1 shield
1f6e2 oil_drum commodities
1f6e3 road motorway
1f6e4 railway_track train_tracks
1f6e5 motor_boat
1f6e9 small_airplane
1f6eb take_off departure airplane_departure
1f6ec landing arrival airplane_arrival
1f6f0 satellite
1f6f3 passenger_ship yacht cruise
1f6f4 kick_scooter
1f6f5 scooter motor_bike motor_scooter
1f6f6 canoe
1f6f7 sled
1f6f8 flying_saucer
1f6f9 skateboard
1f6fa auto_rickshaw
1f6fb pickup_truck
1f6fc roller_skate
1f7e0 orange_circle
1f7e1 yellow_circle
1f7e2 green_circle
1f7e3 purple_circle
1f7e4 brown_circle
1f7e5 red_square
1f7e6 blue_square
1f7e7 orange_square
1f7e8 yellow_large_square yellow_square
1f7e9 green_large_square green_square
1f7ea purple_square
1f7eb brown_square
1f7f0 heavy_equals_sign
1f90c pinched_fingers
1f90d white_heart
1f90e brown_heart
1f90f pinching_hand
1f910 silence quiet hush zip_it lips_are_sealed zipper_mouth_face
1f911 money_face kaching money_mouth_face
1f912 sick flu face_with_thermometer ill fever
1f913 nerd geek nerd_face
1f914 thinking thinking_face
1f915 hurt head_bandage injured face_with_head_bandage
1f916 robot
1f917 hug arms_open smiling_face_with_open_hands
1f918 rock_on sign_of_the_horns
1f919 call_me call_me_hand
1f91a stop raised_back_of_hand
1f91b left_fist left_facing_fist
1f91c right_fist right_facing_fist
1f91d handshake done_deal
1f91e fingers_crossed crossed_fingers
1f91f love_you_gesture
1f920 cowboy cowboy_hat_face
1f921 clown clown_face
1f922 nauseated queasy nauseated_face
1f923 rolling_on_the_floor_laughing rofl
1f924 drooling drooling_face
1f925 lying lying_face
1f926 face_palm person_facepalming
1f926-200d-2640-fe0f woman_facepalming
1f926-200d-2642-fe0f man_facepalming
1f927 sneezing sneezing_face
1f928 face_with_raised_eyebrow
1f929 star_struck
1f92a zany_face
1f92b shushing_face
1f92c face_with_symbols_on_mouth
1f92d face_with_hand_over_mouth
1f92e face_vomiting
1f92f exploding_head
1f930 pregnant expecting pregnant_woman
1f931 breast_feeding
1f932 palms_up_together
1f933 selfie
1f934 prince
1f935 tuxedo person_in_tuxedo
1f935-200d-2640-fe0f woman_in_tuxedo
1f935-200d-2642-fe0f man_in_tuxedo
1f936 mother_christmas mrs_claus
1f937 shrug person_shrugging
1f937-200d-2640-fe0f woman_shrugging
1f937-200d-2642-fe0f man_shrugging
1f938 cartwheel acrobatics gymnastics tumbling person_cartwheeling
1f938-200d-2640-fe0f woman_cartwheeling
1f938-200d-2642-fe0f man_cartwheeling
1f939 juggling person_juggling
1f939-200d-2640-fe0f woman_juggling
1f939-200d-2642-fe0f man_juggling
1f93a fencing person_fencing
1f93c wrestling people_wrestling
1f93c-200d-2640-fe0f women_wrestling
1f93c-200d-2642-fe0f men_wrestling
1f93d water_polo person_playing_water_polo
1f93d-200d-2640-fe0f woman_playing_water_polo
1f93d-200d-2642-fe0f man_playing_water_polo
1f93e handball person_playing_handball
1f93e-200d-2640-fe0f woman_playing_handball
1f93e-200d-2642-fe0f man_playing_handball
1f93f diving_mask
1f940 wilted_flower crushed
1f941 drum
1f942 clink toast clinking_glasses
1f943 small_glass tumbler_glass
1f944 spoon
1f945 gooooooooal goal goal_net
1f947 first_place gold number_one 1st_place_medal
1f948 second_place silver 2nd_place_medal
1f949 third_place bronze 3rd_place_medal
1f94a boxing_glove
1f94b black_belt keikogi dogi martial_arts martial_arts_uniform
1f94c curling_stone
1f94d lacrosse
1f94e softball
1f94f flying_disc
1f950 croissant
1f951 avocado
1f952 cucumber
1f953 bacon
1f954 potato
1f955 carrot
1f956 baguette baguette_bread
1f957 salad green_salad
1f958 paella shallow_pan_of_food
1f959 doner_kebab shawarma souvlaki stuffed_flatbread
1f95a egg
1f95b milk glass_of_milk
1f95c peanuts
1f95d kiwi kiwi_fruit
1f95e pancakes breakfast
1f95f dumpling
1f960 fortune_cookie
1f961 takeout_box
1f962 chopsticks
1f963 bowl_with_spoon
1f964 cup_with_straw
1f965 coconut
1f966 broccoli
1f967 pie
1f968 pretzel
1f969 cut_of_meat
1f96a sandwich
1f96b canned_food
1f96c leafy_green
1f96d mango
1f96e moon_cake
1f96f bagel
1f970 smiling_face_with_hearts
1f971 yawning_face
1f972 smiling_face_with_tear
1f973 partying_face
1f974 woozy_face
1f975 hot_face
1f976 cold_face
1f977 ninja
1f978 disguised_face
1f979 face_holding_back_tears
1f97a pleading_face
1f97b sari
1f97c lab_coat
1f97d goggles
1f97e hiking_boot
1f97f flat_shoe
1f980 crab
1f981 lion
1f982 scorpion
1f983 turkey
1f984 unicorn
1f985 eagle
1f986 duck
1f987 bat
1f988 shark
1f989 owl
1f98a fox
1f98b butterfly
1f98c deer
1f98d gorilla
1f98e lizard gecko
1f98f rhinoceros
1f990 shrimp
1f991 squid
1f992 giraffe
1f993 zebra
1f994 hedgehog
1f995 sauropod
1f996 t_rex
1f997 cricket_insect
1f998 kangaroo
1f999 llama
1f99a peacock
1f99b hippopotamus
1f99c parrot
1f99d raccoon
1f99e lobster
1f99f mosquito
1f9a0 microbe
1f9a1 badger
1f9a2 swan
1f9a3 mammoth
1f9a4 dodo
1f9a5 sloth
1f9a6 otter
1f9a7 orangutan
1f9a8 skunk
1f9a9 flamingo
1f9aa oyster
1f9ab beaver
1f9ac bison
1f9ad seal
1f9ae guide_dog
1f9af white_cane
1f9b4 bone
1f9b5 leg
1f9b6 foot
1f9b7 tooth
1f9b8 superhero
1f9b8-200d-2640-fe0f woman_superhero
1f9b8-200d-2642-fe0f man_superhero
1f9b9 supervillain
1f9b9-200d-2640-fe0f woman_supervillain
1f9b9-200d-2642-fe0f man_supervillain
1f9ba safety_vest
1f9bb ear_with_hearing_aid
1f9bc motorized_wheelchair
1f9bd manual_wheelchair
1f9be mechanical_arm
1f9bf mechanical_leg
1f9c0 cheese cheese_wedge
1f9c1 cupcake
1f9c2 salt
1f9c3 beverage_box
1f9c4 garlic
1f9c5 onion
1f9c6 falafel
1f9c7 waffle
1f9c8 butter
1f9c9 mate
1f9ca ice
1f9cb bubble_tea
1f9cc troll
1f9cd person_standing
1f9cd-200d-2640-fe0f woman_standing
1f9cd-200d-2642-fe0f man_standing
1f9ce person_kneeling
1f9ce-200d-2640-fe0f woman_kneeling
1f9ce-200d-2640-fe0f-200d-27a1-fe0f woman_kneeling_facing_right
1f9ce-200d-2642-fe0f man_kneeling
1f9ce-200d-2642-fe0f-200d-27a1-fe0f man_kneeling_facing_right
1f9ce-200d-27a1-fe0f person_kneeling_facing_right
1f9cf deaf_person
1f9cf-200d-2640-fe0f deaf_woman
1f9cf-200d-2642-fe0f deaf_man
1f9d0 face_with_monocle
1f9d1 person
1f9d1-200d-1f33e farmer
1f9d1-200d-1f373 cook
1f9d1-200d-1f37c person_feeding_baby
1f9d1-200d-1f384 mx_claus
1f9d1-200d-1f393 student
1f9d1-200d-1f3a4 singer
1f9d1-200d-1f3a8 artist
1f9d1-200d-1f3eb teacher
1f9d1-200d-1f3ed factory_worker
1f9d1-200d-1f4bb technologist
1f9d1-200d-1f4bc office_worker
1f9d1-200d-1f527 mechanic
1f9d1-200d-1f52c person_scientist
1f9d1-200d-1f680 astronaut
1f9d1-200d-1f692 firefighter
1f9d1-200d-1f91d-200d-1f9d1 people_holding_hands
1f9d1-200d-1f9af person_with_white_cane
1f9d1-200d-1f9af-200d-27a1-fe0f person_with_white_cane_facing_right
1f9d1-200d-1f9b0 person_red_hair
1f9d1-200d-1f9b1 person_curly_hair
1f9d1-200d-1f9b2 person_bald
1f9d1-200d-1f9b3 person_white_hair
1f9d1-200d-1f9bc person_in_motorized_wheelchair
1f9d1-200d-1f9bc-200d-27a1-fe0f person_in_motorized_wheelchair_facing_right
1f9d1-200d-1f9bd person_in_manual_wheelchair
1f9d1-200d-1f9bd-200d-27a1-fe0f person_in_manual_wheelchair_facing_right
1f9d1-200d-1f9d1-200d-1f9d2 family_adult_adult_child
1f9d1-200d-1f9d1-200d-1f9d2-200d-1f9d2 family_adult_adult_child_child
1f9d1-200d-1f9d2 family_adult_child
1f9d1-200d-1f9d2-200d-1f9d2 family_adult_child_child
1f9d1-200d-1fa70 ballet_dancer
1f9d1-200d-2695-fe0f health_worker
1f9d1-200d-2696-fe0f judge
1f9d1-200d-2708-fe0f pilot
1f9d2 child
1f9d3 older_person
1f9d4 person_beard
1f9d4-200d-2640-fe0f woman_beard
1f9d4-200d-2642-fe0f man_beard
1f9d5 woman_with_headscarf
1f9d6 person_in_steamy_room
1f9d6-200d-2640-fe0f woman_in_steamy_room
1f9d6-200d-2642-fe0f man_in_steamy_room
1f9d7 person_climbing
1f9d7-200d-2640-fe0f woman_climbing
1f9d7-200d-2642-fe0f man_climbing
1f9d8 person_in_lotus_position
1f9d8-200d-2640-fe0f woman_in_lotus_position
1f9d8-200d-2642-fe0f man_in_lotus_position
1f9d9 mage
1f9d9-200d-2640-fe0f woman_mage
1f9d9-200d-2642-fe0f man_mage
1f9da fairy
1f9da-200d-2640-fe0f woman_fairy
1f9da-200d-2642-fe0f man_fairy
1f9db vampire
1f9db-200d-2640-fe0f woman_vampire
1f9db-200d-2642-fe0f man_vampire
1f9dc merperson
1f9dc-200d-2640-fe0f mermaid
1f9dc-200d-2642-fe0f merman
1f9dd elf
1f9dd-200d-2640-fe0f woman_elf
1f9dd-200d-2642-fe0f man_elf
1f9de genie
1f9de-200d-2640-fe0f woman_genie
1f9de-200d-2642-fe0f man_genie
1f9df zombie
1f9df-200d-2640-fe0f woman_zombie
1f9df-200d-2642-fe0f man_zombie
1f9e0 brain
1f9e1 orange_heart
1f9e2 billed_cap
1f9e3 scarf
1f9e4 gloves
1f9e5 coat
1f9e6 socks
1f9e7 red_envelope
1f9e8 firecracker
1f9e9 puzzle_piece
1f9ea test_tube
1f9eb petri_dish
1f9ec dna
1f9ed compass
1f9ee abacus
1f9ef fire_extinguisher
1f9f0 toolbox
1f9f1 brick
1f9f2 magnet
1f9f3 luggage
1f9f4 lotion_bottle
1f9f5 thread
1f9f6 yarn
1f9f7 safety_pin
1f9f8 teddy_bear
1f9f9 broom
1f9fa basket
1f9fb roll_of_paper
1f9fc soap
1f9fd sponge
1f9fe paper_receipt
1f9ff nazar_amulet
1fa70 ballet_shoes
1fa71 one_piece_swimsuit
1fa72 briefs
1fa73 shorts
1fa74 thong_sandal
1fa75 light_blue_heart
1fa76 grey_heart
1fa77 pink_heart
1fa78 drop_of_blood
1fa79 adhesive_bandage
1fa7a stethoscope
1fa7b x_ray
1fa7c crutch
1fa80 yo_yo
1fa81 kite
1fa82 parachute
1fa83 boomerang
1fa84 magic_wand
1fa85 pinata
1fa86 nesting_dolls
1fa87 maracas
1fa88 flute
1fa89 harp
1fa8a trombone
1fa8e treasure_chest
1fa8f shovel
1fa90 ringed_planet
1fa91 chair
1fa92 razor
1fa93 axe
1fa94 diya_lamp
1fa95 banjo
1fa96 military_helmet
1fa97 accordion
1fa98 long_drum
1fa99 coin
1fa9a carpentry_saw
1fa9b screwdriver
1fa9c ladder
1fa9d hook
1fa9e mirror
1fa9f window
1faa0 plunger
1faa1 sewing_needle
1faa2 knot
1faa3 bucket
1faa4 mouse_trap
1faa5 toothbrush
1faa6 headstone
1faa7 placard
1faa8 rock
1faa9 mirror_ball
1faaa identification_card
1faab low_battery
1faac hamsa
1faad folding_hand_fan
1faae hair_pick
1faaf khanda
1fab0 fly
1fab1 worm
1fab2 green_beetle
1fab3 cockroach
1fab4 potted_plant
1fab5 wood
1fab6 feather
1fab7 lotus
1fab8 coral
1fab9 empty_nest
1faba nest_with_eggs
1fabb hyacinth
1fabc jellyfish
1fabd wing
1fabe leafless_tree
1fabf goose
1fac0 anatomical_heart
1fac1 lungs
1fac2 people_hugging
1fac3 pregnant_man
1fac4 pregnant_person
1fac5 person_with_crown
1fac6 fingerprint
1fac8 hairy_creature
1facd orca
1face moose
1facf donkey
1fad0 blueberries
1fad1 bell_pepper
1fad2 olive
1fad3 flatbread
1fad4 tamale
1fad5 fondue
1fad6 teapot
1fad7 pouring_liquid
1fad8 beans
1fad9 jar
1fada ginger_root
1fadb pea_pod
1fadc root_vegetable
1fadf splatter
1fae0 melting_face
1fae1 saluting_face
1fae2 face_with_open_eyes_and_hand_over_mouth
1fae3 face_with_peeking_eye
1fae4 face_with_diagonal_mouth
1fae5 dotted_line_face
1fae6 biting_lip
1fae7 bubbles
1fae8 shaking_face
1fae9 face_with_bags_under_eyes
1faea distorted_face
1faef fight_cloud
1faf0 hand_with_index_finger_and_thumb_crossed
1faf1 rightwards_hand
1faf2 leftwards_hand
1faf3 palm_down_hand
1faf4 palm_up_hand
1faf5 index_pointing_at_the_viewer
1faf6 heart_hands
1faf7 leftwards_pushing_hand
1faf8 rightwards_pushing_hand
203c bangbang double_exclamation double_exclamation_mark
2049 interrobang exclamation_question_mark
2122 tm trademark trade_mark
2139 info information
2194 left_right swap left_right_arrow
2195 up_down up_down_arrow
2196 upper_left north_west up_left_arrow
2197 upper_right north_east up_right_arrow
2198 lower_right south_east down_right_arrow
2199 lower_left south_west down_left_arrow
21a9 reply left_hook right_arrow_curving_left
21aa forward right_hook left_arrow_curving_right
231a watch
231b times_up hourglass_done
2328 keyboard
23cf eject_button
23e9 fast_forward fast_forward_button
23ea rewind fast_reverse fast_reverse_button
23eb double_up fast_up fast_up_button
23ec double_down fast_down fast_down_button
23ed next_track skip_forward next_track_button
23ee previous_track skip_back last_track_button
23ef play_pause play_or_pause_button
23f0 alarm_clock
23f1 stopwatch
23f2 timer timer_clock
23f3 time_ticking hourglass hourglass_not_done
23f8 pause pause_button
23f9 stop_button
23fa record record_button
24c2 metro m circled_m
25aa black_small_square
25ab white_small_square
25b6 play play_button
25c0 play_reverse reverse_button
25fb white_medium_square
25fc black_medium_square
25fd white_medium_small_square
25fe black_medium_small_square
2600 sunny sun
2601 cloud overcast
2602 umbrella
2603 snowman
2604 comet meteor
260e phone telephone
2611 checkbox check_box_with_check
2614 umbrella_with_rain umbrella_with_rain_drops
2615 coffee hot_beverage
2618 shamrock clover
261d wait_one_second point_of_information asking_a_question index_pointing_up
2620 skull_and_crossbones pirate death hazard toxic poison
2622 radioactive nuclear
2623 biohazard
2626 orthodox_cross
262a star_and_crescent islam
262e peace peace_symbol
262f yin_yang
2638 wheel_of_dharma buddhism
2639 sad big_frown frowning_face
263a smiling_face relaxed
2640 female_sign
2642 male_sign
2648 aries
2649 taurus
264a gemini
264b cancer
264c leo
264d virgo
264e libra
264f scorpius scorpio
2650 sagittarius
2651 capricorn
2652 aquarius
2653 pisces
265f chess_pawn
2660 spades spade_suit
2663 clubs club_suit
2665 hearts heart_suit
2666 diamonds diamond_suit
2668 hot_springs
267b recycle recycling_symbol
267e infinity
267f accessible wheelchair disabled wheelchair_symbol
2692 at_work hammer_and_pick
2693 anchor
2694 duel swords crossed_swords
2695 medical_symbol
2696 justice scales balance balance_scale
2697 alchemy alembic
2699 gear settings mechanical engineer
269b atom physics atom_symbol
269c fleur_de_lis
26a0 warning caution danger
26a1 high_voltage zap
26a7 transgender_symbol
26aa white_circle
26ab black_circle
26b0 coffin burial grave
26b1 funeral_urn cremation
26bd football soccer soccer_ball
26be baseball
26c4 frosty snowman_without_snow
26c5 partly_sunny partly_cloudy sun_behind_cloud
26c8 thunderstorm thunder_and_rain cloud_with_lightning_and_rain
26ce ophiuchus
26cf mine pick
26d1 helmet hard_hat rescue_worker safety_first invincible rescue_worker_s_helmet
26d3 chains
26d3-fe0f-200d-1f4a5 broken_chain
26d4 no_entry wrong_way
26e9 shinto_shrine
26ea church
26f0 mountain
26f1 beach_umbrella umbrella_on_ground
26f2 fountain
26f3 hole_in_one flag_in_hole
26f4 ferry
26f5 boat sailboat
26f7 skier
26f8 ice_skate
26f9 ball sports person_bouncing_ball
26f9-fe0f-200d-2640-fe0f woman_bouncing_ball
26f9-fe0f-200d-2642-fe0f man_bouncing_ball
26fa tent camping
26fd fuel_pump gas_pump petrol_pump
2702 scissors
2705 check all_good approved check_mark_button
2708 airplane
2709 email envelope mail
270a fist power raised_fist
270b hand raised_hand
270c peace_sign victory victory_hand
270d writing writing_hand
270f pencil
2712 black_nib
2714 check_mark
2716 multiplication multiply
271d cross christianity latin_cross
2721 star_of_david judaism
2728 sparkles glamour
2733 eight_spoked_asterisk
2734 eight_pointed_star
2744 snowflake
2747 sparkle
274c cross_mark incorrect wrong
274e x cross_mark_button
2753 question red_question_mark
2754 grey_question white_question_mark
2755 grey_exclamation white_exclamation_mark
2757 exclamation red_exclamation_mark
2763 heart_exclamation
2764 heart love love_you red_heart
2764-fe0f-200d-1f525 heart_on_fire
2764-fe0f-200d-1fa79 mending_heart
2795 plus add
2796 minus subtract
2797 division divide
27a1 right east right_arrow
27b0 loop curly_loop
27bf double_loop voicemail double_curly_loop
2934 heading_up right_arrow_curving_up
2935 heading_down right_arrow_curving_down
2b05 left west left_arrow
2b06 up north up_arrow
2b07 down south down_arrow
2b1b black_large_square
2b1c white_large_square
2b50 star
2b55 circle hollow_red_circle
3030 wavy_dash
303d part_alternation part_alternation_mark
3297 japanese_congratulations_button congratulations
3299 japanese_secret_button`
