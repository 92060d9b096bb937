// Written by scripts/build-slack-emoji.ts; do not edit.
/** Emoji that Slack calls otherwise than we do, separated by commas and line breaks: the code, then Slack's names. */
export const slackEmojiTable = `002a-20e3 keycap_star,1f0cf black_joker,1f17e o2,1f197 ok,1f199 up,1f1e6-1f1e8 flag-ac,1f1e6-1f1e9 flag-ad,1f1e6-1f1ea flag-ae
1f1e6-1f1eb flag-af,1f1e6-1f1ec flag-ag,1f1e6-1f1ee flag-ai,1f1e6-1f1f1 flag-al,1f1e6-1f1f2 flag-am,1f1e6-1f1f4 flag-ao,1f1e6-1f1f6 flag-aq,1f1e6-1f1f7 flag-ar
1f1e6-1f1f8 flag-as,1f1e6-1f1f9 flag-at,1f1e6-1f1fa flag-au,1f1e6-1f1fc flag-aw,1f1e6-1f1fd flag-ax,1f1e6-1f1ff flag-az,1f1e7-1f1e6 flag-ba,1f1e7-1f1e7 flag-bb
1f1e7-1f1e9 flag-bd,1f1e7-1f1ea flag-be,1f1e7-1f1eb flag-bf,1f1e7-1f1ec flag-bg,1f1e7-1f1ed flag-bh,1f1e7-1f1ee flag-bi,1f1e7-1f1ef flag-bj,1f1e7-1f1f1 flag-bl
1f1e7-1f1f2 flag-bm,1f1e7-1f1f3 flag-bn,1f1e7-1f1f4 flag-bo,1f1e7-1f1f6 flag-bq,1f1e7-1f1f7 flag-br,1f1e7-1f1f8 flag-bs,1f1e7-1f1f9 flag-bt,1f1e7-1f1fb flag-bv
1f1e7-1f1fc flag-bw,1f1e7-1f1fe flag-by,1f1e7-1f1ff flag-bz,1f1e8-1f1e6 flag-ca,1f1e8-1f1e8 flag-cc,1f1e8-1f1e9 flag-cd,1f1e8-1f1eb flag-cf,1f1e8-1f1ec flag-cg
1f1e8-1f1ed flag-ch,1f1e8-1f1ee flag-ci,1f1e8-1f1f0 flag-ck,1f1e8-1f1f1 flag-cl,1f1e8-1f1f2 flag-cm,1f1e8-1f1f3 cn flag-cn,1f1e8-1f1f4 flag-co,1f1e8-1f1f5 flag-cp
1f1e8-1f1f6 flag-sark,1f1e8-1f1f7 flag-cr,1f1e8-1f1fa flag-cu,1f1e8-1f1fb flag-cv,1f1e8-1f1fc flag-cw,1f1e8-1f1fd flag-cx,1f1e8-1f1fe flag-cy,1f1e8-1f1ff flag-cz
1f1e9-1f1ea de flag-de,1f1e9-1f1ec flag-dg,1f1e9-1f1ef flag-dj,1f1e9-1f1f0 flag-dk,1f1e9-1f1f2 flag-dm,1f1e9-1f1f4 flag-do,1f1e9-1f1ff flag-dz,1f1ea-1f1e6 flag-ea
1f1ea-1f1e8 flag-ec,1f1ea-1f1ea flag-ee,1f1ea-1f1ec flag-eg,1f1ea-1f1ed flag-eh,1f1ea-1f1f7 flag-er,1f1ea-1f1f8 es flag-es,1f1ea-1f1f9 flag-et,1f1ea-1f1fa flag-eu
1f1eb-1f1ee flag-fi,1f1eb-1f1ef flag-fj,1f1eb-1f1f0 flag-fk,1f1eb-1f1f2 flag-fm,1f1eb-1f1f4 flag-fo,1f1eb-1f1f7 fr flag-fr,1f1ec-1f1e6 flag-ga,1f1ec-1f1e7 gb uk flag-gb
1f1ec-1f1e9 flag-gd,1f1ec-1f1ea flag-ge,1f1ec-1f1eb flag-gf,1f1ec-1f1ec flag-gg,1f1ec-1f1ed flag-gh,1f1ec-1f1ee flag-gi,1f1ec-1f1f1 flag-gl,1f1ec-1f1f2 flag-gm
1f1ec-1f1f3 flag-gn,1f1ec-1f1f5 flag-gp,1f1ec-1f1f6 flag-gq,1f1ec-1f1f7 flag-gr,1f1ec-1f1f8 flag-gs,1f1ec-1f1f9 flag-gt,1f1ec-1f1fa flag-gu,1f1ec-1f1fc flag-gw
1f1ec-1f1fe flag-gy,1f1ed-1f1f0 flag-hk,1f1ed-1f1f2 flag-hm,1f1ed-1f1f3 flag-hn,1f1ed-1f1f7 flag-hr,1f1ed-1f1f9 flag-ht,1f1ed-1f1fa flag-hu,1f1ee-1f1e8 flag-ic
1f1ee-1f1e9 flag-id,1f1ee-1f1ea flag-ie,1f1ee-1f1f1 flag-il,1f1ee-1f1f2 flag-im,1f1ee-1f1f3 flag-in,1f1ee-1f1f4 flag-io,1f1ee-1f1f6 flag-iq,1f1ee-1f1f7 flag-ir
1f1ee-1f1f8 flag-is,1f1ee-1f1f9 it flag-it,1f1ef-1f1ea flag-je,1f1ef-1f1f2 flag-jm,1f1ef-1f1f4 flag-jo,1f1ef-1f1f5 jp flag-jp,1f1f0-1f1ea flag-ke,1f1f0-1f1ec flag-kg
1f1f0-1f1ed flag-kh,1f1f0-1f1ee flag-ki,1f1f0-1f1f2 flag-km,1f1f0-1f1f3 flag-kn,1f1f0-1f1f5 flag-kp,1f1f0-1f1f7 kr flag-kr,1f1f0-1f1fc flag-kw,1f1f0-1f1fe flag-ky
1f1f0-1f1ff flag-kz,1f1f1-1f1e6 flag-la,1f1f1-1f1e7 flag-lb,1f1f1-1f1e8 flag-lc,1f1f1-1f1ee flag-li,1f1f1-1f1f0 flag-lk,1f1f1-1f1f7 flag-lr,1f1f1-1f1f8 flag-ls
1f1f1-1f1f9 flag-lt,1f1f1-1f1fa flag-lu,1f1f1-1f1fb flag-lv,1f1f1-1f1fe flag-ly,1f1f2-1f1e6 flag-ma,1f1f2-1f1e8 flag-mc,1f1f2-1f1e9 flag-md,1f1f2-1f1ea flag-me
1f1f2-1f1eb flag-mf,1f1f2-1f1ec flag-mg,1f1f2-1f1ed flag-mh,1f1f2-1f1f0 flag-mk,1f1f2-1f1f1 flag-ml,1f1f2-1f1f2 flag-mm,1f1f2-1f1f3 flag-mn,1f1f2-1f1f4 flag-mo
1f1f2-1f1f5 flag-mp,1f1f2-1f1f6 flag-mq,1f1f2-1f1f7 flag-mr,1f1f2-1f1f8 flag-ms,1f1f2-1f1f9 flag-mt,1f1f2-1f1fa flag-mu,1f1f2-1f1fb flag-mv,1f1f2-1f1fc flag-mw
1f1f2-1f1fd flag-mx,1f1f2-1f1fe flag-my,1f1f2-1f1ff flag-mz,1f1f3-1f1e6 flag-na,1f1f3-1f1e8 flag-nc,1f1f3-1f1ea flag-ne,1f1f3-1f1eb flag-nf,1f1f3-1f1ec flag-ng
1f1f3-1f1ee flag-ni,1f1f3-1f1f1 flag-nl,1f1f3-1f1f4 flag-no,1f1f3-1f1f5 flag-np,1f1f3-1f1f7 flag-nr,1f1f3-1f1fa flag-nu,1f1f3-1f1ff flag-nz,1f1f4-1f1f2 flag-om
1f1f5-1f1e6 flag-pa,1f1f5-1f1ea flag-pe,1f1f5-1f1eb flag-pf,1f1f5-1f1ec flag-pg,1f1f5-1f1ed flag-ph,1f1f5-1f1f0 flag-pk,1f1f5-1f1f1 flag-pl,1f1f5-1f1f2 flag-pm
1f1f5-1f1f3 flag-pn,1f1f5-1f1f7 flag-pr,1f1f5-1f1f8 flag-ps,1f1f5-1f1f9 flag-pt,1f1f5-1f1fc flag-pw,1f1f5-1f1fe flag-py,1f1f6-1f1e6 flag-qa,1f1f7-1f1ea flag-re
1f1f7-1f1f4 flag-ro,1f1f7-1f1f8 flag-rs,1f1f7-1f1fa ru flag-ru,1f1f7-1f1fc flag-rw,1f1f8-1f1e6 flag-sa,1f1f8-1f1e7 flag-sb,1f1f8-1f1e8 flag-sc,1f1f8-1f1e9 flag-sd
1f1f8-1f1ea flag-se,1f1f8-1f1ec flag-sg,1f1f8-1f1ed flag-sh,1f1f8-1f1ee flag-si,1f1f8-1f1ef flag-sj,1f1f8-1f1f0 flag-sk,1f1f8-1f1f1 flag-sl,1f1f8-1f1f2 flag-sm
1f1f8-1f1f3 flag-sn,1f1f8-1f1f4 flag-so,1f1f8-1f1f7 flag-sr,1f1f8-1f1f8 flag-ss,1f1f8-1f1f9 flag-st,1f1f8-1f1fb flag-sv,1f1f8-1f1fd flag-sx,1f1f8-1f1fe flag-sy
1f1f8-1f1ff flag-sz,1f1f9-1f1e6 flag-ta,1f1f9-1f1e8 flag-tc,1f1f9-1f1e9 flag-td,1f1f9-1f1eb flag-tf,1f1f9-1f1ec flag-tg,1f1f9-1f1ed flag-th,1f1f9-1f1ef flag-tj
1f1f9-1f1f0 flag-tk,1f1f9-1f1f1 flag-tl,1f1f9-1f1f2 flag-tm,1f1f9-1f1f3 flag-tn,1f1f9-1f1f4 flag-to,1f1f9-1f1f7 flag-tr,1f1f9-1f1f9 flag-tt,1f1f9-1f1fb flag-tv
1f1f9-1f1fc flag-tw,1f1f9-1f1ff flag-tz,1f1fa-1f1e6 flag-ua,1f1fa-1f1ec flag-ug,1f1fa-1f1f2 flag-um,1f1fa-1f1f3 flag-un,1f1fa-1f1f8 us flag-us,1f1fa-1f1fe flag-uy
1f1fa-1f1ff flag-uz,1f1fb-1f1e6 flag-va,1f1fb-1f1e8 flag-vc,1f1fb-1f1ea flag-ve,1f1fb-1f1ec flag-vg,1f1fb-1f1ee flag-vi,1f1fb-1f1f3 flag-vn,1f1fb-1f1fa flag-vu
1f1fc-1f1eb flag-wf,1f1fc-1f1f8 flag-ws,1f1fd-1f1f0 flag-xk,1f1fe-1f1ea flag-ye,1f1fe-1f1f9 flag-yt,1f1ff-1f1e6 flag-za,1f1ff-1f1f2 flag-zm,1f1ff-1f1fc flag-zw
1f201 koko,1f202 sa,1f22f u6307,1f233 u7a7a,1f306 city_sunset,1f314 moon,1f31a new_moon_with_face,1f31b first_quarter_moon_with_face
1f31c last_quarter_moon_with_face,1f31d full_moon_with_face,1f31f star2,1f320 stars,1f324 sun_small_cloud,1f325 barely_sunny sun_behind_cloud,1f326 partly_sunny_rain,1f327 rain_cloud
1f328 snow_cloud,1f329 lightning_cloud,1f32a tornado_cloud,1f32c wind_blowing_face,1f365 fish_cake,1f366 icecream,1f373 fried_egg,1f37d knife_fork_plate
1f391 rice_scene,1f392 school_satchel,1f396 medal,1f3a3 fishing_pole_and_fish,1f3a9 tophat,1f3ab ticket,1f3ac clapper,1f3af dart
1f3b1 8ball,1f3b6 notes,1f3bd running_shirt_with_sash,1f3c3-200d-2640 woman-running,1f3c3-200d-2642 man-running,1f3c4 surfer,1f3c4-200d-2640 woman-surfing,1f3c4-200d-2642 man-surfing
1f3c8 football,1f3ca swimmer,1f3ca-200d-2640 woman-swimming,1f3ca-200d-2642 man-swimming,1f3cb weight_lifter,1f3cb-200d-2640 woman-lifting-weights,1f3cb-200d-2642 man-lifting-weights,1f3cc golfer
1f3cc-200d-2640 woman-golfing,1f3cc-200d-2642 man-golfing,1f3cd racing_motorcycle,1f3cf cricket_bat_and_ball,1f3d1 field_hockey_stick_and_ball,1f3d2 ice_hockey_stick_and_puck,1f3d3 table_tennis_paddle_and_ball,1f3d5 camping
1f3d8 house_buildings,1f3da derelict_house_building,1f3e3 post_office,1f3e4 european_post_office,1f3f0 european_castle,1f3f3 waving_white_flag,1f3f3-200d-1f308 rainbow-flag,1f3f4 waving_black_flag
1f3f4-e0067-e0062-e0065-e006e-e0067-e007f flag-england,1f3f4-e0067-e0062-e0073-e0063-e0074-e007f flag-scotland,1f3f4-e0067-e0062-e0077-e006c-e0073-e007f flag-wales,1f3f8 badminton_racquet_and_shuttlecock,1f401 mouse2,1f404 cow2,1f405 tiger2,1f407 rabbit2
1f408 cat2,1f40b whale2,1f40e racehorse,1f415 dog2,1f416 pig2,1f425 hatched_chick,1f42a dromedary_camel,1f42d mouse
1f42e cow,1f42f tiger,1f430 rabbit,1f431 cat,1f434 horse,1f436 dog,1f437 pig,1f43c panda_face
1f43e feet,1f441-200d-1f5e8 eye-in-speech-bubble,1f446 point_up_2,1f44a facepunch,1f44d thumbsup,1f44e thumbsdown,1f452 womans_hat,1f453 eyeglasses
1f45a womans_clothes,1f45e mans_shoe,1f460 high_heel,1f468-200d-1f33e male-farmer,1f468-200d-1f373 male-cook,1f468-200d-1f393 male-student,1f468-200d-1f3a4 male-singer,1f468-200d-1f3a8 male-artist
1f468-200d-1f3eb male-teacher,1f468-200d-1f3ed male-factory-worker,1f468-200d-1f466 man-boy,1f468-200d-1f466-200d-1f466 man-boy-boy,1f468-200d-1f467 man-girl,1f468-200d-1f467-200d-1f466 man-girl-boy,1f468-200d-1f467-200d-1f467 man-girl-girl,1f468-200d-1f468-200d-1f466 man-man-boy
1f468-200d-1f468-200d-1f466-200d-1f466 man-man-boy-boy,1f468-200d-1f468-200d-1f467 man-man-girl,1f468-200d-1f468-200d-1f467-200d-1f466 man-man-girl-boy,1f468-200d-1f468-200d-1f467-200d-1f467 man-man-girl-girl,1f468-200d-1f469-200d-1f466 man-woman-boy,1f468-200d-1f469-200d-1f466-200d-1f466 man-woman-boy-boy,1f468-200d-1f469-200d-1f467 man-woman-girl,1f468-200d-1f469-200d-1f467-200d-1f466 man-woman-girl-boy
1f468-200d-1f469-200d-1f467-200d-1f467 man-woman-girl-girl,1f468-200d-1f4bb male-technologist,1f468-200d-1f4bc male-office-worker,1f468-200d-1f527 male-mechanic,1f468-200d-1f52c male-scientist,1f468-200d-1f680 male-astronaut,1f468-200d-1f692 male-firefighter,1f468-200d-1f9af man_with_probing_cane
1f468-200d-1f9b0 red_haired_man,1f468-200d-1f9b1 curly_haired_man,1f468-200d-1f9b2 bald_man,1f468-200d-1f9b3 white_haired_man,1f468-200d-2695 male-doctor,1f468-200d-2696 male-judge,1f468-200d-2708 male-pilot,1f468-200d-2764-200d-1f468 man-heart-man
1f468-200d-2764-200d-1f48b-200d-1f468 man-kiss-man,1f469-200d-1f33e female-farmer,1f469-200d-1f373 female-cook,1f469-200d-1f393 female-student,1f469-200d-1f3a4 female-singer,1f469-200d-1f3a8 female-artist,1f469-200d-1f3eb female-teacher,1f469-200d-1f3ed female-factory-worker
1f469-200d-1f466 woman-boy,1f469-200d-1f466-200d-1f466 woman-boy-boy,1f469-200d-1f467 woman-girl,1f469-200d-1f467-200d-1f466 woman-girl-boy,1f469-200d-1f467-200d-1f467 woman-girl-girl,1f469-200d-1f469-200d-1f466 woman-woman-boy,1f469-200d-1f469-200d-1f466-200d-1f466 woman-woman-boy-boy,1f469-200d-1f469-200d-1f467 woman-woman-girl
1f469-200d-1f469-200d-1f467-200d-1f466 woman-woman-girl-boy,1f469-200d-1f469-200d-1f467-200d-1f467 woman-woman-girl-girl,1f469-200d-1f4bb female-technologist,1f469-200d-1f4bc female-office-worker,1f469-200d-1f527 female-mechanic,1f469-200d-1f52c female-scientist,1f469-200d-1f680 female-astronaut,1f469-200d-1f692 female-firefighter
1f469-200d-1f9af woman_with_probing_cane,1f469-200d-1f9b0 red_haired_woman,1f469-200d-1f9b1 curly_haired_woman,1f469-200d-1f9b2 bald_woman,1f469-200d-1f9b3 white_haired_woman,1f469-200d-2695 female-doctor,1f469-200d-2696 female-judge,1f469-200d-2708 female-pilot
1f469-200d-2764-200d-1f468 woman-heart-man,1f469-200d-2764-200d-1f469 woman-heart-woman,1f469-200d-2764-200d-1f48b-200d-1f468 woman-kiss-man,1f469-200d-2764-200d-1f48b-200d-1f469 woman-kiss-woman,1f46b couple,1f46e-200d-2640 female-police-officer,1f46e-200d-2642 male-police-officer,1f46f-200d-2640 women-with-bunny-ears-partying woman-with-bunny-ears-partying
1f46f-200d-2642 men-with-bunny-ears-partying man-with-bunny-ears-partying,1f470 bride_with_veil,1f471 person_with_blond_hair,1f471-200d-2640 blond-haired-woman,1f471-200d-2642 blond-haired-man,1f472 man_with_gua_pi_mao,1f473 man_with_turban,1f473-200d-2640 woman-wearing-turban
1f473-200d-2642 man-wearing-turban,1f477-200d-2640 female-construction-worker,1f477-200d-2642 male-construction-worker,1f479 japanese_ogre,1f47a japanese_goblin,1f481-200d-2640 woman-tipping-hand,1f481-200d-2642 man-tipping-hand,1f482 guardsman
1f482-200d-2640 female-guard,1f482-200d-2642 male-guard,1f486-200d-2640 woman-getting-massage,1f486-200d-2642 man-getting-massage,1f487-200d-2640 woman-getting-haircut,1f487-200d-2642 man-getting-haircut,1f48b kiss,1f48f couplekiss
1f497 heartpulse,1f4a0 diamond_shape_with_a_dot_inside,1f4a9 hankey shit,1f4ab dizzy,1f4b0 moneybag,1f4b4 yen,1f4b5 dollar,1f4b6 euro
1f4b7 pound,1f4b9 chart,1f4c5 date,1f4c6 calendar,1f4c8 chart_with_upwards_trend,1f4c9 chart_with_downwards_trend,1f4dd pencil,1f4e3 mega
1f4ea mailbox_closed,1f4ec mailbox_with_mail,1f4ed mailbox_with_no_mail,1f4f0 newspaper,1f500 twisted_rightwards_arrows,1f503 arrows_clockwise,1f504 arrows_counterclockwise,1f509 sound
1f50a loud_sound,1f50d mag,1f50e mag_right,1f50f lock_with_ink_pen,1f510 closed_lock_with_key,1f512 lock,1f513 unlock,1f515 no_bell
1f51f keycap_ten,1f52f six_pointed_star,1f535 large_blue_circle,1f53a small_red_triangle,1f53b small_red_triangle_down,1f53c arrow_up_small,1f53d arrow_down_small,1f549 om_symbol
1f54e menorah_with_nine_branches,1f550 clock1,1f551 clock2,1f552 clock3,1f553 clock4,1f554 clock5,1f555 clock6,1f556 clock7
1f557 clock8,1f558 clock9,1f559 clock10,1f55a clock11,1f55b clock12,1f55c clock130,1f55d clock230,1f55e clock330
1f55f clock430,1f560 clock530,1f561 clock630,1f562 clock730,1f563 clock830,1f564 clock930,1f565 clock1030,1f566 clock1130
1f567 clock1230,1f574 man_in_business_suit_levitating,1f575 sleuth_or_spy,1f575-200d-2640 female-detective,1f575-200d-2642 male-detective,1f58a lower_left_ballpoint_pen,1f58b lower_left_fountain_pen,1f58c lower_left_paintbrush
1f58d lower_left_crayon,1f590 raised_hand_with_fingers_splayed,1f595 reversed_hand_with_middle_finger_extended,1f596 spock-hand,1f5b1 three_button_mouse,1f5bc frame_with_picture,1f5d2 spiral_note_pad,1f5d3 spiral_calendar_pad
1f5e1 dagger_knife,1f5e3 speaking_head_in_silhouette,1f601 grin,1f606 satisfied,1f617 kissing,1f618 kissing_heart,1f619 kissing_smiling_eyes,1f61a kissing_closed_eyes
1f61c stuck_out_tongue_winking_eye,1f628 fearful,1f635 dizzy_face,1f63f crying_cat_face,1f645 no_good,1f645-200d-2640 woman-gesturing-no,1f645-200d-2642 man-gesturing-no,1f646 ok_woman
1f646-200d-2640 woman-gesturing-ok,1f646-200d-2642 man-gesturing-ok,1f647-200d-2640 woman-bowing,1f647-200d-2642 man-bowing,1f64b-200d-2640 woman-raising-hand,1f64b-200d-2642 man-raising-hand,1f64d-200d-2640 woman-frowning,1f64d-200d-2642 man-frowning
1f64e person_with_pouting_face,1f64e-200d-2640 woman-pouting,1f64e-200d-2642 man-pouting,1f684 bullettrain_side,1f685 bullettrain_front,1f686 train2,1f687 metro,1f68a tram
1f68b train,1f68f busstop,1f697 red_car,1f699 blue_car,1f69a truck,1f6a3-200d-2640 woman-rowing-boat,1f6a3-200d-2642 man-rowing-boat,1f6a5 traffic_light
1f6a7 construction,1f6a9 triangular_flag_on_post,1f6ab no_entry_sign,1f6b4 bicyclist,1f6b4-200d-2640 woman-biking,1f6b4-200d-2642 man-biking,1f6b5 mountain_bicyclist,1f6b5-200d-2640 woman-mountain-biking
1f6b5-200d-2642 man-mountain-biking,1f6b6-200d-2640 woman-walking,1f6b6-200d-2642 man-walking,1f6cc sleeping_accommodation,1f6ec airplane_arriving,1f6f4 scooter,1f7e0 large_orange_circle,1f7e1 large_yellow_circle
1f7e2 large_green_circle,1f7e3 large_purple_circle,1f7e4 large_brown_circle,1f7e5 large_red_square,1f7e6 large_blue_square,1f7e7 large_orange_square,1f7e8 large_yellow_square,1f7e9 large_green_square
1f7ea large_purple_square,1f7eb large_brown_square,1f916 robot_face,1f917 hugging_face,1f918 the_horns,1f91b left-facing_fist,1f91c right-facing_fist,1f91e hand_with_index_and_middle_fingers_crossed
1f91f i_love_you_hand_sign,1f920 face_with_cowboy_hat,1f926-200d-2640 woman-facepalming,1f926-200d-2642 man-facepalming,1f928 face_with_one_eyebrow_raised,1f929 star-struck grinning_face_with_star_eyes,1f92a grinning_face_with_one_large_and_one_small_eye,1f92b face_with_finger_covering_closed_lips
1f92c serious_face_with_symbols_covering_mouth,1f92d smiling_face_with_smiling_eyes_and_hand_covering_mouth,1f92e face_with_open_mouth_vomiting,1f92f shocked_face_with_exploding_head,1f931 breast-feeding,1f937-200d-2640 woman-shrugging,1f937-200d-2642 man-shrugging,1f938 person_doing_cartwheel
1f938-200d-2640 woman-cartwheeling,1f938-200d-2642 man-cartwheeling,1f939-200d-2640 woman-juggling,1f939-200d-2642 man-juggling,1f93a fencer,1f93c wrestlers,1f93c-200d-2640 woman-wrestling,1f93c-200d-2642 man-wrestling
1f93d-200d-2640 woman-playing-water-polo,1f93d-200d-2642 man-playing-water-polo,1f93e-200d-2640 woman-playing-handball,1f93e-200d-2642 man-playing-handball,1f941 drum_with_drumsticks,1f947 first_place_medal,1f948 second_place_medal,1f949 third_place_medal
1f95d kiwifruit,1f970 smiling_face_with_3_hearts,1f97f womans_flat_shoe,1f981 lion_face,1f984 unicorn_face,1f98a fox_face,1f992 giraffe_face,1f993 zebra_face
1f996 t-rex,1f997 cricket,1f9af probing_cane,1f9b8-200d-2640 female_superhero,1f9b8-200d-2642 male_superhero,1f9b9-200d-2640 female_supervillain,1f9b9-200d-2642 male_supervillain,1f9c9 mate_drink
1f9ca ice_cube,1f9cd standing_person,1f9ce kneeling_person,1f9d1 adult,1f9d1-200d-1f52c scientist,1f9d1-200d-1f9af person_with_probing_cane,1f9d1-200d-1f9b0 red_haired_person,1f9d1-200d-1f9b1 curly_haired_person
1f9d1-200d-1f9b2 bald_person,1f9d1-200d-1f9b3 white_haired_person,1f9d3 older_adult,1f9d4 bearded_person,1f9d4-200d-2640 woman_with_beard,1f9d4-200d-2642 man_with_beard,1f9d5 person_with_headscarf,1f9d9-200d-2640 female_mage
1f9d9-200d-2642 male_mage,1f9da-200d-2640 female_fairy,1f9da-200d-2642 male_fairy,1f9db-200d-2640 female_vampire,1f9db-200d-2642 male_vampire,1f9dd-200d-2640 female_elf,1f9dd-200d-2642 male_elf,1f9de-200d-2640 female_genie
1f9de-200d-2642 male_genie,1f9df-200d-2640 female_zombie,1f9df-200d-2642 male_zombie,1f9e9 jigsaw,1f9f1 bricks,1f9fe receipt,1fa71 one-piece_swimsuit,1fa7b x-ray
1fa80 yo-yo,1fab2 beetle,2139 information_source,2195 arrow_up_down,2196 arrow_upper_left,2197 arrow_upper_right,2198 arrow_lower_right,2199 arrow_lower_left
21a9 leftwards_arrow_with_hook,21aa arrow_right_hook,231b hourglass,23cf eject,23eb arrow_double_up,23ec arrow_double_down,23ed black_right_pointing_double_triangle_with_vertical_bar,23ee black_left_pointing_double_triangle_with_vertical_bar
23ef black_right_pointing_triangle_with_double_vertical_bar,23f3 hourglass_flowing_sand,23f8 double_vertical_bar,23f9 black_square_for_stop,23fa black_circle_for_record,25b6 arrow_forward,25c0 arrow_backward,2611 ballot_box_with_check
261d point_up,2622 radioactive_sign,2623 biohazard_sign,2639 white_frowning_face,2668 hotsprings,2695 staff_of_aesculapius,26c8 thunder_cloud_and_rain,26d1 helmet_with_white_cross
26f3 golf,26f9 person_with_ball,26f9-200d-2640 woman-bouncing-ball,26f9-200d-2642 man-bouncing-ball,26fd fuelpump,2705 white_check_mark,270c v,270f pencil2
2714 heavy_check_mark,2716 heavy_multiplication_x,2734 eight_pointed_black_star,274c x,274e negative_squared_cross_mark,2757 heavy_exclamation_mark,2763 heavy_heart_exclamation_mark_ornament,2795 heavy_plus_sign
2796 heavy_minus_sign,2797 heavy_division_sign,27a1 arrow_right,27bf loop,2934 arrow_heading_up,2935 arrow_heading_down,2b05 arrow_left,2b06 arrow_up
2b07 arrow_down,2b55 o,3299 secret`
