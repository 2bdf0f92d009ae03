//! What the page draws: a view as boards, pieces and cards, and actions as things to click.

use serde::Serialize;

use crate::{Game, Player, Team};

/// Draws views of one game.
///
/// Things that can be clicked have a name, their *pick*: a field `e2`, a card `7h`. An action is a
/// handful of picks in any order, so that a page can offer what is legal and narrow it down click by
/// click without knowing any rules. Things that are alike may share a pick, such as equal cards. If
/// several actions have the same picks the page shows their texts to choose from.
pub trait Scenery<G: Game>: Send + Sync {
    fn scene(&self, game: &G, view: &G::View) -> Scene;

    /// What is clicked to choose an action of the viewer, who is to move; nothing for actions that
    /// are buttons with their texts.
    fn picks(&self, game: &G, view: &G::View, action: G::Action) -> Vec<String>;

    /// An action of a player in words, where its text is a code that people would have to look up. It says
    /// no more than the text: whoever sees one sees the other.
    fn label(&self, _game: &G, _action: G::Action) -> Option<String> {
        None
    }
}

/// What is seen in a view, with partners; nothing but the seats if the game has no scenery.
pub fn scene_of<G: Game>(game: &G, view: &G::View) -> Scene {
    let info = game.info();
    let mut scene = match game.scenery() {
        Some(scenery) => scenery.scene(game, view),
        None => Scene { seats: vec![Seat::default(); info.players], ..Scene::default() },
    };
    if info.teams < info.players {
        for (player, seat) in scene.seats.iter_mut().enumerate() {
            seat.team = Some(game.team(player));
        }
    }
    scene
}

/// All that is seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scene {
    pub board: Option<Plan>,
    /// In reading order; those of the seats go to their places at the table.
    pub areas: Vec<Area>,
    pub seats: Vec<Seat>,
    /// What else is worth knowing, such as trump.
    pub facts: Vec<Remark>,
}

/// A board. Lengths are in fields; x goes right and y goes down.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Plan {
    pub width: f32,
    pub height: f32,
    /// Drawn below the sites, from one point to another.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<[f32; 4]>,
    /// Beside the sites, such as the names of files and ranks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    pub sites: Vec<Site>,
}

/// A text on the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Label {
    pub x: f32,
    pub y: f32,
    pub text: String,
}

/// A place for pieces.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Site {
    pub pick: String,
    /// The middle.
    pub x: f32,
    pub y: f32,
    pub shape: Shape,
    /// The width; 1 is a whole field.
    pub size: f32,
    pub tone: Tone,
    /// Written on it, such as the value of a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// From the bottom of a stack to its top.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<Piece>,
}

impl Site {
    /// A plain square of a whole field without pieces.
    pub fn square(pick: impl Into<String>, x: f32, y: f32) -> Site {
        Site {
            pick: pick.into(),
            x,
            y,
            shape: Shape::Square,
            size: 1.0,
            tone: Tone::Plain,
            text: None,
            pieces: Vec::new(),
        }
    }

    /// A plain circle without pieces, a little smaller than a field.
    pub fn circle(pick: impl Into<String>, x: f32, y: f32) -> Site {
        Site { shape: Shape::Circle, size: 0.85, ..Site::square(pick, x, y) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    Square,
    /// With a corner at the top.
    Hexagon,
    Circle,
}

/// The colour of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    Plain,
    Light,
    Dark,
    /// Tinted in the colour of a seat: its home or its goal.
    Seat(Player),
}

/// Something on a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Whose colour it has.
    pub seat: Player,
    /// How many there are.
    pub count: u32,
    /// Drawn on it, such as a cross.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
}

impl Piece {
    pub fn of(seat: Player) -> Piece {
        Piece { seat, count: 1, mark: None }
    }
}

/// Cards in one place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Area {
    /// The same for as long as the game lasts, so that cards can be seen to move.
    pub name: String,
    pub title: String,
    pub kind: AreaKind,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<Player>,
    pub cards: Vec<Card>,
}

impl Area {
    /// Belongs to nobody. The name is the title in small letters.
    pub fn new(title: &str, kind: AreaKind, cards: Vec<Card>) -> Area {
        let name = title.to_lowercase().replace(' ', "-");
        Area { name, title: title.into(), kind, seat: None, cards }
    }

    /// The `count` cards that a seat holds: those that the viewer knows, the others face down.
    pub fn hand(seat: Player, mut known: Vec<Card>, count: usize) -> Area {
        debug_assert!(known.len() <= count, "seat {seat} holds {count} cards");
        known.resize(count, Card::hidden());
        Area { name: format!("hand-{seat}"), seat: Some(seat), ..Area::new("Hand", AreaKind::Hand, known) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AreaKind {
    Hand,
    /// The cards on the table, each played by somebody.
    Trick,
    /// One on top of the other; the top one is the last.
    Pile,
    /// Side by side.
    Row,
    /// In no order: equal ones are drawn as one, with their number.
    Heap,
}

/// One card.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Card {
    /// Empty for what cannot be clicked.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pick: String,
    /// None if it lies face down for the viewer.
    pub face: Option<Face>,
    /// Who played it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Player>,
}

impl Card {
    /// Face down.
    pub fn hidden() -> Card {
        Card { pick: String::new(), face: None, from: None }
    }

    /// Face up, but nothing to click.
    pub fn shown(face: Face) -> Card {
        Card { face: Some(face), ..Card::hidden() }
    }

    /// Face up, for the viewer to click.
    pub fn open(pick: impl Into<String>, face: Face) -> Card {
        Card { pick: pick.into(), face: Some(face), from: None }
    }
}

/// What a card shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Face {
    /// Such as `7` or `K`.
    pub rank: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suit: Option<Suit>,
}

impl Face {
    /// Of a card without a suit.
    pub fn of(rank: impl ToString) -> Face {
        Face { rank: rank.to_string(), suit: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

/// A player at the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Seat {
    /// Points so far, where they are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Remark>,
    /// The same for partners, where there are any; [`scene_of`] tells it for all games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<Team>,
}

/// Something to know, in two words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    pub name: String,
    pub value: String,
}

impl Remark {
    pub fn new(name: impl Into<String>, value: impl ToString) -> Remark {
        Remark { name: name.into(), value: value.to_string() }
    }
}

/// An action as a page offers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    pub action: String,
    pub picks: Vec<String>,
    /// The action in words, if its text is a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}
