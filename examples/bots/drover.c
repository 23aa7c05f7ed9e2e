/* A bot for Camel Up in C, without libraries:
 *
 *     cc -O2 -o drover drover.c && serai check-bot "process:./drover"
 *
 * It plays the rest of the leg many times and takes the leg tile that pays best, if it pays more than a roll.
 * It reads a line by searching for field names, each of which appears only once in a message.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAMELS = 5, SPACES = 20, PLAYOUTS = 300 };

static const char *const NAMES[CAMELS] = {"blue", "green", "orange", "yellow", "white"};
static const double LEG_TILES[] = {5, 3, 2};

typedef struct {
    int camels[SPACES][CAMELS]; /* each stack, bottom to top */
    int height[SPACES];
} Track;

typedef struct {
    Track track;
    int tents[CAMELS]; /* what each die showed, 0 while it is in the pyramid */
    int taken[CAMELS]; /* leg tiles taken, by colour */
    int push[SPACES];  /* of a desert tile: +1 oasis, -1 mirage */
    uint64_t random;
} Game;

/* The text after "name": in this line, searching from `from`. */
static const char *field(const char *from, const char *name) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":", name);
    const char *found = strstr(from, quoted);
    return found ? found + strlen(quoted) : "";
}

/* Read the numbers of a list, [1,2,3], up to `room`; returns the end of the list. */
static const char *numbers(const char *list, int *into, int room, int *count) {
    *count = 0;
    list++; /* [ */
    while (*list && *list != ']') {
        char *end;
        long value = strtol(list, &end, 10);
        if (end == list) break;
        if (*count < room) into[(*count)++] = (int)value;
        list = *end == ',' ? end + 1 : end;
    }
    return *list ? list + 1 : list;
}

static void read_game(const char *line, Game *game) {
    const char *view = field(line, "view");
    int row[CAMELS], count;
    memset(game, 0, sizeof *game);
    game->random = strtoull(field(line, "random"), NULL, 10) + 1;
    const char *at = field(view, "track") + 1;
    for (int space = 0; space < SPACES; space++, at++) /* the comma between two stacks */
        at = numbers(at, game->track.camels[space], CAMELS, &game->track.height[space]);
    numbers(field(view, "tents"), game->tents, CAMELS, &count);
    at = field(view, "leg_bets") + 1;
    for (int camel = 0; camel < CAMELS; camel++, at++) at = numbers(at, row, CAMELS, &game->taken[camel]);
    int tiles[8];
    numbers(field(view, "deserts"), tiles, 8, &count);
    for (int seat = 0; seat < count; seat++)
        if (tiles[seat]) game->push[abs(tiles[seat])] = tiles[seat] > 0 ? 1 : -1;
}

static int below(Game *game, int limit) { /* xorshift64* */
    game->random ^= game->random >> 12;
    game->random ^= game->random << 25;
    game->random ^= game->random >> 27;
    return (int)((game->random * 0x2545F4914F6CDD1DULL >> 33) % (uint64_t)limit);
}

/* Move a camel with its riders; returns whether one of them crossed the line. */
static int move(Game *game, Track *track, int camel, int pips) {
    int space = 0, place = 0, unit[CAMELS], size;
    for (int s = 0; s < SPACES; s++)
        for (int h = 0; h < track->height[s]; h++)
            if (track->camels[s][h] == camel) space = s, place = h;
    size = track->height[space] - place;
    memcpy(unit, &track->camels[space][place], (size_t)size * sizeof *unit);
    track->height[space] = place;
    int push = game->push[space + pips], target = space + pips + push, *stack = track->camels[target];
    if (push < 0) { /* below the camels there */
        memmove(stack + size, stack, (size_t)track->height[target] * sizeof *stack);
        memcpy(stack, unit, (size_t)size * sizeof *unit);
    } else {
        memcpy(stack + track->height[target], unit, (size_t)size * sizeof *unit);
    }
    track->height[target] += size;
    return target > 16;
}

/* Play the leg to its end; gives the first and the second camel. */
static void play_leg(Game *game, int *first, int *second) {
    Track track = game->track;
    int dice[CAMELS], left = 0, order[CAMELS], count = 0;
    for (int camel = 0; camel < CAMELS; camel++)
        if (!game->tents[camel]) dice[left++] = camel;
    while (left) {
        int drawn = below(game, left), camel = dice[drawn];
        dice[drawn] = dice[--left];
        if (move(game, &track, camel, 1 + below(game, 3))) break;
    }
    for (int space = 0; space < SPACES; space++)
        for (int height = 0; height < track.height[space]; height++) order[count++] = track.camels[space][height];
    *first = order[CAMELS - 1];
    *second = order[CAMELS - 2];
}

static void decide(const char *line) {
    Game game;
    int wins[CAMELS] = {0}, seconds[CAMELS] = {0}, chosen = -1;
    double most = 1; /* what a roll pays */
    const char *actions = field(line, "actions"), *end = strchr(actions, ']');
    read_game(line, &game);
    for (int playout = 0; playout < PLAYOUTS; playout++) {
        int first, second;
        play_leg(&game, &first, &second);
        wins[first]++;
        seconds[second]++;
    }
    for (int camel = 0; camel < CAMELS; camel++) {
        char action[16];
        snprintf(action, sizeof action, "\"leg %s\"", NAMES[camel]);
        const char *offered = strstr(actions, action);
        if (!offered || offered > end) continue;
        int misses = PLAYOUTS - wins[camel] - seconds[camel];
        double pays = (LEG_TILES[game.taken[camel]] * wins[camel] + seconds[camel] - misses) / PLAYOUTS;
        if (pays > most) most = pays, chosen = camel;
    }
    if (chosen < 0)
        puts("{\"action\":\"roll\"}");
    else
        printf("{\"action\":\"leg %s\"}\n", NAMES[chosen]);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (strstr(line, "{\"type\":\"hello\"") == line)
            puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"Drover\",\"games\":[\"camelup\"]}");
        else if (strstr(line, "{\"type\":\"decide\"") == line)
            decide(line);
        fflush(stdout);
    }
    free(line);
    return 0;
}
