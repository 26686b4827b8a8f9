/** What most people's passwords are made of, in small letters. The rules look through digits, doubling and look-alikes. */
export const commonWords: ReadonlySet<string> = new Set(
  `
  password passwort passwd pass parola wachtwoord motdepasse contrasena senha haslo lozinka heslo salasana losenord jelszo kennwort
  mypassword newpassword thepassword yourpassword secretpassword adminpassword rootpassword userpassword temppassword mypass passpass
  passme passkey passcode passphrase password1234 pwd passwordpassword changeme changethis changeit changemenow letmein letmeinnow letme
  letmeplease welcome welcomehome welcomeback hello hellohello helloworld hellothere hallo halloworld bonjour hola ciao salut privet
  merhaba namaste admin administrator adminadmin sysadmin webadmin superadmin root rootroot toor superuser supervisor manager master
  mastermaster guest guestguest user username test testtest tester testing testuser demo demouser default login loginlogin logon signin
  access accessgranted open opensesame secret secrets topsecret private security secure security1 system sysop server oracle mysql
  postgres database backup temp temporary tempuser trial sample example public office company business service support helpdesk info
  internet intranet network wifi wireless router cisco linksys netgear modem broadband computer laptop desktop keyboard monitor printer
  software hardware windows microsoft office365 outlook macbook macintosh apple iphone ipad android samsung nokia motorola huawei xiaomi
  sony playstation xbox nintendo gameboy sega google gmail yahoo hotmail facebook instagram twitter youtube linkedin snapchat whatsapp
  telegram tiktok netflix amazon paypal ebay spotify discord skype reddit pinterest tumblr wordpress github gitlab ubuntu linux debian
  fedora redhat kali python java javascript matrix neo hacker hackme hacked cracker crack qwerty qwertyui qwertyuiop qwertz qwertzuiop
  azerty azertyuiop asdf asdfgh asdfghjk asdfghjkl asdfasdf zxcv zxcvbn zxcvbnm qwerasdf qwerqwer asdfqwer qazwsx qazwsxedc qazqaz wsxedc
  edcrfv rfvtgb qweasd qweasdzxc qweqwe asdasd zxczxc zxcasd zxcasdqwe q1w2e3 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 a1s2d3 a1s2d3f4 z1x2c3
  z1x2c3v4 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 2wsx3edc 1qaz1qaz zaq1 zaq12wsx zaq1zaq1 zaqwsx
  xsw2 xsw2zaq1 xsw21qaz 1234qwer 1234abcd 1234asdf 123qwe 123qweasd 123qweasdzxc 123qwe123 123abc 123asd 12345qwert 123456qwerty 123456a
  1234567a 12345678a 123456789a 12345a 1234567q 12345678q 123456789q 123456q qwe123 qwe123qwe asd123 zxc123 qwer1234 asdf1234 zxcv1234
  abc123 abcabc abc abcd abcde abcdef abcdefg abcdefgh abcd1234 aaa111 a1b2c3 a1b2c3d4 aa123456 a12345 a123456 a1234567 a12345678
  a123456789 q123456 w123456 z123456 aa12345678 abc123abc abcdabcd poiuytrewq poiuyt lkjhgfdsa lkjhgf mnbvcxz mnbvcx trewq ytrewq rewq
  fdsa 123123 123321 123654 123654789 123698745 12341234 12344321 1234321 123454321 12345678910 1234554321 112233 11223344 1122334455
  112233445566 123456123456 1234512345 121212 131313 101010 102030 10203040 1020304050 147147 147258 147258369 147852 147852369 159357
  159753 159753456 159951 258258 258456 369369 369258147 456456 456789 456123 456852 741852 741852963 753159 753951 789456 789456123
  789789 852456 963852 963852741 987654 135790 13579 135791113 246810 24681012 24680 142536 142536475869 314159 31415926 31415926535
  271828 696969 666666 777777 888888 999999 5201314 1314520 520520 521521 7777777 55555 101112 19841984 20002000 20202020 12121212
  69696969 23232323 10101010 00112233 01020304 0102030405 01234567 0123456789 098765 0987654321 87654321 98765432 iloveyou iloveu
  ilovehim iloveher iloveme ilovejesus ilovegod ilovemom ilovemymom ilovedad ilovemyself iloveyouso iloveyoubaby iloveyouforever loveyou
  loveu loveme lovehim lovely lovelove lovelife lovebug lovebird loverboy lovergirl lover love mylove truelove firstlove babylove
  sweetlove imissyou missyou fuckyou fuckoff fuckme fucker fuckfuck fuckthis motherfucker asshole bitch biteme bullshit shithead blowme
  bigdick bigcock bigtits pussy pussycat dick cock penis vagina boobs tits nipple sexy sexsex sexygirl sexyboy hotsex hotgirl porno
  pornstar hardcore naked horny slut whore hooker cumshot butthead blowjob sweetheart sweetie sweety sweetpea sweets honey honeybee
  honeybunny darling baby babygirl babyboy babydoll babybear babyface bebe amor amore teamo teamomucho tequiero tiamo jetaime
  ichliebedich mahal mahalkita corazon mivida miamor princesa hermosa chocolate chocolat cookie cookies cupcake muffin brownie candy
  candyman caramel vanilla strawberry blueberry cherry banana orange peach mango lemon melon watermelon pineapple coconut tomato potato
  carrot pumpkin peanut butter cheese cheesecake pizza burger hamburger bacon chicken noodle spaghetti taco burrito pepper pickles
  popcorn pancake waffle coffee espresso cappuccino tea whiskey vodka tequila budweiser heineken corona guinness cocacola pepsi sprite
  snickers skittles oreo nutella sugar spice ginger cinnamon basil biscuit marshmallow jellybean gummybear monkey monkeys dragon dragons
  tiger tigers lion lions lioness panther leopard cheetah jaguar cougar puma wolf wolves wolverine fox foxes bear bears teddybear panda
  pandas koala kangaroo elephant giraffe zebra rhino hippo gorilla horse horses pony mustang stallion unicorn pegasus phoenix eagle
  eagles falcon falcons hawk hawks raven ravens owl parrot penguin penguins flamingo peacock swan duck duckie rooster turkey goose pigeon
  sparrow robin bluebird rabbit bunny bunnies hamster mouse mickey rat squirrel raccoon hedgehog turtle tortoise frog froggy toad snake
  cobra viper anaconda lizard gecko crocodile alligator dinosaur trex shark sharks dolphin dolphins whale orca salmon tuna goldfish nemo
  octopus crab lobster butterfly dragonfly ladybug spider scorpion beetle bumblebee hornet mosquito puppy puppydog doggy doggie dogs
  kitten kitty kittycat cat cats catdog hellokitty poodle bulldog bulldogs beagle boxer rottweiler husky labrador golden retriever
  chihuahua buddy buster max maxwell rocky lucky shadow smokey bandit bailey bella molly daisy sadie maggie sophie chloe lola lucy coco
  roxy ruby rosie zoey gracie abby stella penny missy princess precious angel angels tigger simba nala oscar toby duke rusty sammy sparky
  snoopy scooby scoobydoo garfield fluffy patches snowball midnight felix sylvester tweety whiskers mittens jasper jake cody charlie
  chester casper winston murphy harley dexter diesel rex spike ranger hunter gunner bruno zeus apollo hercules athena venus jupiter
  saturn mercury neptune pluto mars sunshine sunflower sunset sunrise sunny sunday monday tuesday wednesday thursday friday saturday
  january february march april may june july august september october november december spring summer autumn winter fall weekend holiday
  vacation birthday christmas halloween easter thanksgiving newyear snow snowman snowflake rain rainbow raindrop storm stormy thunder
  lightning hurricane tornado cyclone tsunami volcano ocean oceans river beach island forest mountain desert sky bluesky skywalker star
  stars starlight stardust starfish superstar moon moonlight moonbeam sun sunlight galaxy universe cosmos comet meteor planet earth world
  rose roses rosebud lily lilies jasmine violet tulip orchid lotus flower flowers daisies ivy willow garden crystal diamond diamonds
  emerald sapphire pearl amber jade topaz gold goldie silver platinum copper bronze iron steel red redred blue bluebell black blackcat
  blackjack blackbird blackberry white whitey green greenday yellow purple pink pinky brown gray scarlet crimson indigo magenta turquoise
  football football1 soccer baseball softball basketball volleyball hockey cricket rugby tennis golf golfer golfing boxing wrestling
  karate kungfu judo swimming swimmer surfing surfer skating skater skate skateboard snowboard skiing running runner cycling fishing
  hunting racing nascar formula marathon olympics champion champions winner winners victory player players playboy playgirl playmate
  gamer games gaming goalie striker quarterback touchdown slamdunk homerun coach referee liverpool liverpoolfc arsenal chelsea chelseafc
  everton manchester manutd manunited mancity tottenham newcastle sunderland westham astonvilla leeds celtic rangers barcelona barca
  realmadrid madrid atletico valencia sevilla juventus milan acmilan inter roma napoli lazio benfica porto sporting ajax feyenoord bayern
  dortmund schalke galatasaray fenerbahce besiktas boca bocajuniors riverplate flamengo corinthians palmeiras santos saopaulo vasco
  gremio ronaldo ronaldinho messi neymar beckham rooney gerrard torres zidane maradona pele kobe lebron jordan michaeljordan shaq iverson
  curry tyson federer nadal cowboys steelers packers raiders redskins broncos patriots giants chargers saints vikings bengals browns
  chiefs seahawks panthers jaguars titans texans cardinals lakers celtics bulls chicagobulls knicks heat spurs rockets pistons magic
  yankees redsox dodgers cubs braves mets phillies astros marlins pirates redwings blackhawks bruins canucks flyers canadiens sabres
  michael jennifer jessica ashley michelle nicole amanda daniel andrew joshua matthew justin anthony robert william thomas brandon
  christopher christian nicholas alexander alexandra alexandre alexis alexandria elizabeth stephanie samantha victoria veronica caroline
  natalie natasha patricia margaret kimberly melissa danielle rebecca vanessa andrea angela angelina heather lauren megan rachel sarah
  hannah emily emma olivia isabella sophia charlotte amelia evelyn abigail madison harper taylor brittany courtney kelsey lindsay kristen
  christina christine catherine katherine kathleen kathryn katie kate karen barbara susan linda mary maria marina martina monica patrick
  sandra sharon sabrina sabine simone sylvia tatiana teresa theresa tiffany valerie valentina vivian yolanda yvonne adrian adriana albert
  alberto alejandro alejandra alessandro alex alfredo allison alison amy ana anastasia andreas andrei andres angelo anna annette annie
  antonio antonia armando arthur austin barry beatrice benjamin bernard bernardo beth bianca billy bobby bonnie bradley brandi brenda
  brian bridget bruce bryan caleb calvin cameron camille candice carla carlos carmen carol carolina cassandra cassie cecilia chad charles
  cheryl chris christophe cindy claire clara claudia connor corey craig curtis cynthia damian dan dana danny darren dave david dawn
  debbie deborah denise dennis derek diana diane diego dominic dominik donald donna doris dorothy douglas dustin dylan eddie edgar
  eduardo edward elaine eleanor elena eric erica erik ernesto ethan eugene eva evan federico felicia felipe fernanda fernando florian
  frances francesca francesco francis francisco franco frank frankie fred freddy frederic frederick gabriel gabriela gabriella gary
  george gerald gerard gilbert giovanni giuseppe gloria gordon grace graham greg gregory guillaume guillermo gustavo harold harry heidi
  helen helena henry holly howard hugo ian ignacio ingrid irene isaac isabel isabelle ivan jack jackie jackson jacob jacqueline jaime
  james jamie jan jane janet janice jason javier jean jeff jeffrey jenny jeremy jerome jerry jesse jessie jesus jill jim jimmy joan
  joanna joe joel johanna john johnny johnson jonathan jorge jose joseph josephine joyce juan juanita judith judy julia julian juliana
  julie juliette julio justine karina karl kathy keith kelly kenneth kenny kevin kyle larry laura laurence laurent lawrence leonard
  leonardo leslie lewis liam lillian lisa logan lorenzo louis louise lucas lucia luis luke lydia madeleine manuel manuela marc marcel
  marcela marcelo marco marcos marcus margarita marie marilyn mario marion marissa mark marlene marta martha martin marvin mason mathias
  mathieu matt matteo maurice mauricio maxime melanie melinda mercedes meredith michaela michel miguel mike mikey mildred miranda mohamed
  mohammed muhammad ahmed mustafa mehmet fatima ali hassan hussein ibrahim abdullah omar yusuf morgan nancy natalia nathan nathaniel
  nelson nicky nicola nicolas nikita nikolai nina noah noel nora norman oliver owen pablo pamela paola pascal patrice paul paula paulina
  pauline pedro peggy peter philip philippe phillip phyllis pierre rafael ralph ramon randy raquel raul raymond regina renee ricardo
  richard rick ricky rita robbie roberta roberto rodney rodrigo roger roland roman ronald ronnie rosa rosemary ross roxana roxanne roy
  russell ruth ryan salvador sam samuel santiago scott sean sebastian sergei sergio seth shane shannon shaun shawn sheila shelby sherry
  shirley sidney sierra silvia simon sonia spencer stacey stanley stefan stefanie stefano stephan stephen steve steven stewart stuart
  sydney sylvie tamara tanya tara ted teddy terry thierry tim timothy tina todd tom tommy toni tony tracy travis trevor trinity troy
  tyler ursula vicky victor vincent virginia vladimir wallace walter wanda warren wayne wendy wesley whitney willie wilson xavier zachary
  zoe svetlana olga irina ekaterina tatyana natalya dmitry sergey alexey maxim andrey mikhail yuliya wojtek agnieszka katarzyna
  malgorzata krzysztof smith williams jones miller davis garcia rodriguez martinez hernandez lopez gonzalez perez sanchez ramirez nguyen
  kumar singh sharma patel krishna ganesh lakshmi priya rahul sachin amit deepak sanjay rajesh suresh superman batman spiderman ironman
  hulk thor avengers captain captainamerica deadpool joker harleyquinn catwoman wonderwoman superwoman superhero supergirl superboy xmen
  marvel starwars startrek darthvader vader yoda jedi anakin chewbacca millennium lordoftherings gandalf frodo bilbo hobbit legolas
  aragorn gollum sauron harrypotter potter hermione hogwarts dumbledore voldemort gryffindor slytherin twilight vampire vampires werewolf
  zombie zombies gameofthrones winteriscoming daenerys simpsons homer bart bartsimpson southpark cartman familyguy futurama spongebob
  pokemon pikachu charizard naruto sasuke sakura itachi goku vegeta dragonball dragonballz onepiece luffy bleach ichigo inuyasha
  sailormoon digimon yugioh zelda link luigi supermario donkeykong sonic tails kirby metroid megaman pacman tetris halo masterchief
  minecraft creeper fortnite roblox callofduty blackops modernwarfare counterstrike counter battlefield warcraft worldofwarcraft
  starcraft diablo overwatch leagueoflegends dota valorant apex runescape finalfantasy cloud sephiroth kingdomhearts assassin assassins
  grandtheft simcity thesims lego barbie disney mickeymouse minnie minniemouse donaldduck goofy winnie winniethepooh poohbear tinkerbell
  peterpan cinderella snowwhite ariel aladdin pocahontas mulan elsa frozen stitch bambi dumbo shrek metallica megadeth slayer slipknot
  nirvana acdc ironmaiden blacksabbath ozzy pantera korn linkinpark limpbizkit blink blink182 offspring ramones sexpistols theclash
  beatles thebeatles rollingstones ledzeppelin zeppelin pinkfloyd deeppurple queen aerosmith gunsnroses bonjovi vanhalen kiss rush
  journey u2 coldplay radiohead oasis muse depeche rammstein tokiohotel eminem slimshady tupac 2pac biggie snoopdogg drdre 50cent jayz
  kanye drake rihanna beyonce madonna britney shakira gaga ladygaga taylorswift katyperry justinbieber bieber onedirection jonas
  jonasbrothers backstreet nsync spicegirls elvis elvispresley bobmarley marley michaeljackson prince mariah celine selena gomez bts
  blackpink exo army guitar guitarist bass drums drummer piano violin music musica musician rock rocker rocknroll rockstar punk punkrock
  metal heavymetal hiphop rapper gangsta gangster reggae techno trance dance dancer dancing singer karaoke ferrari porsche lamborghini
  bugatti maserati mercedesbenz bmw audi volkswagen golfgti jetta passat toyota corolla camry supra honda civic accord nissan skyline
  mazda subaru impreza mitsubishi lancer hyundai chevrolet chevy camaro corvette impala silverado ford fordf150 focus fiesta dodge
  charger ram jeep wrangler hummer cadillac lincoln buick pontiac firebird volvo saab renault peugeot citroen fiat alfa skoda opel astra
  lada yamaha suzuki kawasaki ducati harleydavidson davidson motorcycle motorbike truck trucker turbo nitro speed speedy racer london
  paris berlin rome lisbon vienna prague amsterdam brussels dublin moscow kiev istanbul athens cairo dubai tokyo osaka kyoto beijing
  shanghai hongkong singapore bangkok manila jakarta delhi mumbai melbourne toronto montreal vancouver newyork newyorkcity brooklyn
  manhattan boston chicago dallas houston denver seattle portland oakland losangeles sanfrancisco sandiego lasvegas vegas miami orlando
  atlanta detroit cleveland memphis nashville philadelphia pittsburgh america american usa england ireland scotland france germany
  deutschland espana italia italy portugal poland polska russia ukraine turkiye greece india pakistan indonesia philippines pilipinas
  china japan korea thailand vietnam australia canada mexico brasil brazil argentina colombia peru chile venezuela africa nigeria europe
  california florida texas alaska hawaii georgia arizona nevada colorado montana dakota savannah jesuschrist jesuslovesme jesus1 christ
  god godisgood godislove godbless thankgod lordjesus heaven heavenly bible church faith hope blessed blessing blessings miracle spirit
  holyspirit savior praise glory amen allah allahuakbar bismillah islam buddha karma devil satan lucifer demon hell hellyeah helloween
  death deathnote killer kill killme killall murder darkness dark darkangel darkside darklord darkstar fallenangel ghost ghosts witch
  wizard magician merlin warrior warriors knight knights samurai ninja ninjas pirate viking spartan spartans gladiator soldier marines
  marine navy navyseal airforce military sniper shooter trooper commando rambo terminator predator alien aliens robocop robot cyborg
  morpheus inception titanic godfather scarface goodfellas casino bond jamesbond trustno1 trustme trustnoone whatever whatever1 nothing
  something anything everything forever forever21 foreverlove always never neveragain nevermind remember forget forgetit forgotten
  dontknow idontknow noidea idk whoknows noway yesyes nonono okokok please pleaseletmein thankyou thanks sorry goodluck goodbye goodday
  goodmorning goodnight happy happyday happyness happiness smile smiley smiles laugh lol lollol lollipop lolita haha hahaha hehehe funny
  funnyman crazy crazyboy crazygirl stupid stupidme idiot dummy moron loser noob noobie geek nerd freak freaky weirdo boring bored tired
  lazy sleepy hungry thirsty lonely alone broken heartbreak heartless heart hearts dream dreamer dreams dreaming sweetdreams nightmare
  fantasy destiny destiny1 fate fortune luckyone lucky7 lucky13 success successful money moneymoney cash cashmoney dollar dollars million
  millionaire billion rich richie getmoney payday bank banker freedom liberty justice peace peaceful peacelove harmony respect honor
  loyalty trust truth family families familia mother mommy mom mama mamacita mother1 father daddy dad papa daddysgirl sister sisters
  brother brothers grandma grandpa nana uncle auntie cousin friend friends bestfriend friendship bff boyfriend girlfriend husband wife
  wifey hubby kids children baby1 twins boys girls girl boy man woman ladies lady gentleman king kingking kings kingdom queens queenbee
  princess1 royal royalty duchess boss bossman bigboss bigboy bigdaddy bigdog bigman bigbang bigmac littleman littlegirl littleone cutie
  cutiepie cute beautiful beauty gorgeous pretty prettygirl handsome hottie hotstuff hotrod badboy badgirl badass pimp pimpin thug
  thuglife westside eastside southside northside blood crips hustler homeboy legend legendary hero heroes phantom mystery mysterious
  enigma infinity eternity eternal immortal invisible invincible unstoppable extreme ultimate ultimatum maximum maximus power powerful
  energy dynamite dynamic electric atomic nuclear fire firefly fireman fireball fireworks flame flames burning inferno ice icecream
  iceman iceberg water waterfall wind windy air school schools college university student students teacher principal graduate senior
  junior freshman classroom homework math mathematics science chemistry physics biology history english spanish french german library
  book books reading writer author doctor nurse nursing hospital medicine dentist lawyer police policeman engineer architect artist actor
  actress model photo photographer camera pictures picture movie movies cinema video television radio telephone mobile cellphone number
  numbers letter letters pencil paper notebook scissors table window door doors house home homehome homesweethome kitchen bathroom
  bedroom garage street road highway bridge airport airplane airline pilot flight helicopter rocket spaceship shuttle apollo11 nasa train
  trains railroad station subway bus taxi bicycle scooter boat sailing sailor ship submarine correcthorsebatterystaple correcthorse
  staple`
    .trim()
    .split(/\s+/),
)

/** Sequences that people type without thinking, forwards or backwards. */
export const commonPaths: readonly string[] = [
  '01234567890123456789012345678901234567890',
  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1234567890qwertyuiopasdfghjklzxcvbnm',
  'qwertyuiop1234567890',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  'zaqxswcdevfrbgtnhymjukilop',
  '1a2b3c4d5e6f7g8h9i0j',
  'a1b2c3d4e5f6g7h8i9j0',
  '13579246801357924680',
  '112233445566778899001122334455667788990',
  '741852963',
  '789456123',
  '147258369',
]
